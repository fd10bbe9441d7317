import type { Operation } from '../operation.ts'
import { toOwnApproval } from '../partner-settings/read-settings.ts'
import { decide } from './decide.ts'

export const withdrawApproval: Operation<'withdrawApproval'> = async (
  service,
  { caller: { memberId: actor, partnerId }, path, requestId },
) => {
  const decision = { decision: 'WITHDRAWN' as const, actor, partnerId, requestId }
  return { status: 200, body: toOwnApproval(await decide(service, path.approval_id, decision)) }
}
