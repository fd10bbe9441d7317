import type { Operation } from '../operation.ts'
import { toApproval } from './approval.ts'
import { decide } from './decide.ts'

export const grantApproval: Operation<'grantApproval'> = async (
  service,
  { caller: { subject: actor }, path, query, requestId },
) => {
  const decision = { decision: 'GRANTED' as const, actor, requestId, ...query }
  return { status: 200, body: toApproval(await decide(service, path.approval_id, decision)) }
}
