import { MAX_ID, paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { findArchivedDisclosure, listArchivedOf } from './archived-disclosures.ts'
import { findDisclosure, listDisclosuresOf } from './disclosure.sql.ts'
import { toDisclosure } from './disclosure.ts'

export const listDisclosures: Operation<'listDisclosures'> = async (service, { caller, query }) => {
  const { db } = service
  const { uniqidHmacs } = caller
  const { rows, next_cursor } = await paginate(query, {
    locate: async (cursor) =>
      (await findDisclosure(db, uniqidHmacs, cursor))?.id ??
      (await findArchivedDisclosure(service, uniqidHmacs, cursor))?.row.id,
    read: async (after, limit) => {
      const stored = await listDisclosuresOf(db, uniqidHmacs, after, limit)
      if (stored.length === limit) return stored
      // What was archived meanwhile is not shown twice.
      const before = stored.at(-1)?.id ?? after ?? MAX_ID
      return [...stored, ...(await listArchivedOf(service, uniqidHmacs, before, limit - stored.length))]
    },
    toCursor: ({ request_id }) => request_id,
  })
  return { status: 200, body: { disclosures: rows.map(toDisclosure), next_cursor } }
}
