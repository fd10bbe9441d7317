import type { Operation } from '../operation.ts'
import { decide } from './decide.ts'
import { describeApproval } from './describe-approval.ts'

export const returnApproval: Operation<'returnApproval'> = async (
  service,
  { caller, path, body, requestId },
) => {
  const decision = { decision: 'RETURNED' as const, actor: caller.subject, requestId, ...body }
  return {
    status: 200,
    body: describeApproval(service, caller, await decide(service, path.approval_id, decision)),
  }
}
