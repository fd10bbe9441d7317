import type { Operation } from '../operation.ts'
import { toApproval } from './approval.ts'
import { decide } from './decide.ts'

export const returnApproval: Operation<'returnApproval'> = async (
  service,
  { caller: { subject: actor }, path, body, requestId },
) => {
  const decision = { decision: 'RETURNED' as const, actor, requestId, ...body }
  return { status: 200, body: toApproval(await decide(service, path.approval_id, decision)) }
}
