import { paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { findDisclosure, listDisclosuresOf } from './disclosure.sql.ts'
import { toDisclosure } from './disclosure.ts'

export const listDisclosures: Operation<'listDisclosures'> = async ({ db }, { caller, query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: async (cursor) => (await findDisclosure(db, caller.uniqidHmacs, cursor))?.id,
    read: (after, limit) => listDisclosuresOf(db, caller.uniqidHmacs, after, limit),
    toCursor: ({ request_id }) => request_id,
  })
  return { status: 200, body: { disclosures: rows.map(toDisclosure), next_cursor } }
}
