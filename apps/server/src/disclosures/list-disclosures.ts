import { MAX_ID, paginate } from '../database/pagination.ts'
import type { Operation, Service } from '../operation.ts'
import { findArchivedDisclosure, listArchivedOf } from './archived-disclosures.ts'
import { type DisclosureRow, findDisclosure, listDisclosuresOf } from './disclosure.sql.ts'
import { toDisclosure } from './disclosure.ts'

export const listDisclosures: Operation<'listDisclosures'> = async (service, { caller, query }) => {
  const { db } = service
  const { uniqidHmacs } = caller
  const { rows, next_cursor } = await paginate(query, {
    locate: async (cursor) =>
      (await findDisclosure(db, uniqidHmacs, cursor))?.id ??
      (await findArchivedDisclosure(service, uniqidHmacs, cursor))?.row.id,
    read: (after, limit) => readHistory(service, uniqidHmacs, after, limit),
    toCursor: ({ request_id }) => request_id,
  })
  return { status: 200, body: { disclosures: rows.map(toDisclosure), next_cursor } }
}

/** The disclosures of a citizen before the event `after`, newest first, also those in the archive. */
export async function readHistory(
  service: Service,
  uniqidHmacs: string[],
  after: number | undefined,
  limit: number,
): Promise<DisclosureRow[]> {
  const stored = await listDisclosuresOf(service.db, uniqidHmacs, after, limit)
  if (stored.length === limit) return stored
  // What was archived meanwhile is not shown twice.
  const before = stored.at(-1)?.id ?? after ?? MAX_ID
  return [...stored, ...(await listArchivedOf(service, uniqidHmacs, before, limit - stored.length))]
}
