import { operatorIssuer } from '../authentication/identity-tokens.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { type Decision, decideApproval, lockApproval } from './approval.sql.ts'
import { type ApprovalKind, type ApprovalRow, unknownApproval } from './approval.ts'
import { applySettings } from './settings/apply-settings.ts'
import { findSettings } from './settings/settings.ts'

/** What granting does, in the transaction that ends the approval. */
const APPLY: Record<
  ApprovalKind,
  (service: Service, approval: ApprovalRow, decision: Decision) => Promise<void>
> = {
  settings: async (service, { partner_code, change }, { actor, requestId, reason }) =>
    applySettings(service, await findSettings(service.db, partner_code), change, {
      actor,
      requestId,
      reason,
    }),
}

/** Decides a pending approval. */
export async function decide(
  service: Service,
  approvalId: string,
  decision: Decision & { partnerId?: number },
): Promise<ApprovalRow> {
  const approval = await inTransaction(service.db, async (tx) => {
    const found = await lockApproval(tx, approvalId, {
      ...decision,
      subject: `${operatorIssuer(service.config)} ${decision.actor}`,
    })
    if (!found) throw unknownApproval()
    if (found.is_own && decision.decision !== 'WITHDRAWN') throw new Failure('second_person_required')
    const decided = await decideApproval(tx, approvalId, decision)
    if (!decided) throw new Failure('approval_not_pending')
    if (decision.decision === 'GRANTED') await APPLY[decided.kind]({ ...service, db: tx }, decided, decision)
    return decided
  })
  // Until the commit, another request may have read the state before it.
  service.partnerCache.invalidate()
  return approval
}
