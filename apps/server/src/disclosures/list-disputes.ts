import { paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { toDispute } from './disclosure.ts'
import { listAllDisputes, locateDispute } from './dispute.sql.ts'

export const listDisputes: Operation<'listDisputes'> = async ({ db }, { query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: (cursor) => locateDispute(db, cursor),
    read: (after, limit) => listAllDisputes(db, { partnerCode: query.partner_code, after, limit }),
    toCursor: ({ request_id }) => request_id,
  })
  return { status: 200, body: { disputes: rows.map(toDispute), next_cursor } }
}
