import type { Operation } from '../operation.ts'
import { decide } from './decide.ts'
import { describeApproval } from './describe-approval.ts'

export const grantApproval: Operation<'grantApproval'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const { subject: actor, scopes } = caller
  const decision = { decision: 'GRANTED' as const, actor, scopes, requestId, ...query }
  return {
    status: 200,
    body: describeApproval(service, caller, await decide(service, path.approval_id, decision)),
  }
}
