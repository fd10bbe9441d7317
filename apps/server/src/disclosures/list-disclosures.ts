import type { Operation } from '../operation.ts'
import { readPage } from '../page.ts'
import { findDisclosure, listDisclosuresOf } from './store.ts'
import { toDisclosure } from './wire.ts'

export const listDisclosures: Operation<'listDisclosures'> = async ({ db }, { caller, query }) => {
  const { rows, next_cursor } = await readPage(query, {
    locate: async (cursor) => (await findDisclosure(db, caller.uniqidMacs, cursor))?.id,
    read: (after, limit) => listDisclosuresOf(db, caller.uniqidMacs, after, limit),
    toCursor: ({ request_id }) => request_id,
  })
  return { status: 200, body: { disclosures: rows.map(toDisclosure), next_cursor } }
}
