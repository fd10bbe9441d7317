import { findApprovals } from '../approvals/approval.sql.ts'
import { locateNumber, paginate } from '../database/pagination.ts'
import type { Operation } from '../operation.ts'
import { describeApproval } from './describe-approval.ts'

export const listApprovals: Operation<'listApprovals'> = async (service, { caller, query }) => {
  const filter = { partnerCode: query.partner_code, status: query.status }
  const { rows, next_cursor } = await paginate(query, {
    locate: locateNumber,
    read: (before, limit) => findApprovals(service.db, filter, before, limit),
    toCursor: ({ id }) => String(id),
  })
  return {
    status: 200,
    body: { approvals: rows.map((row) => describeApproval(service, caller, row)), next_cursor },
  }
}
