import type { Operation } from '../operation.ts'
import { decide } from './decide.ts'
import { describeApproval } from './describe-approval.ts'

export const withdrawOwnApproval: Operation<'withdrawOwnApproval'> = async (
  service,
  { caller, path, requestId },
) => {
  const decision = {
    decision: 'WITHDRAWN' as const,
    actor: caller.subject,
    isOnlyOwn: true,
    requestId,
  }
  return {
    status: 200,
    body: describeApproval(service, caller, await decide(service, path.approval_id, decision)),
  }
}
