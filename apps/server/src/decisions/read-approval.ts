import { findApproval } from '../approvals/approval.sql.ts'
import { unknownApproval } from '../approvals/approval.ts'
import type { Operation } from '../operation.ts'
import { describeApproval } from './describe-approval.ts'

export const readApproval: Operation<'readApproval'> = async (service, { caller, path }) => {
  const row = await findApproval(service.db, path.approval_id)
  if (!row) throw unknownApproval()
  return { status: 200, body: describeApproval(service, caller, row) }
}
