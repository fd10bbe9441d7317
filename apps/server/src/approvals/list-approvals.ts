import { locateNumber, paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { findApprovals } from './approval.sql.ts'
import { toApproval } from './approval.ts'

export const listApprovals: Operation<'listApprovals'> = async ({ db }, { query }) => {
  const filter = { partnerCode: query.partner_code, status: query.status }
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findApprovals(db, filter, before, limit),
    toCursor: ({ id }) => String(id),
  })
  return { status: 200, body: { approvals: rows.map(toApproval), next_cursor } }
}
