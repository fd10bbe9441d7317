import { type Decision, decideApproval } from '../approvals/approval.sql.ts'
import { type ApprovalRow, unknownApproval } from '../approvals/approval.ts'
import { operatorIssuer } from '../authentication/identity-tokens.ts'
import { operatorScopesOf } from '../contract/documents.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { Failure } from '../failure.ts'
import type { AuthenticatedOperator, Service } from '../operation.ts'
import { ACTS } from './acts.ts'
import { describeApproval } from './describe-approval.ts'
import { lockApproval } from './lock-approval.sql.ts'

/** `scopes`: of an administrator. */
type Deciding = Decision & { scopes?: string[]; partnerId?: number; isOnlyOwn?: boolean }

/** Decides a pending approval. */
export async function decide(
  service: Service,
  approvalId: string,
  { scopes = [], ...decision }: Deciding,
): Promise<ApprovalRow> {
  const approval = await inTransaction(service.db, async (tx) => {
    const subject = `${operatorIssuer(service.config)} ${decision.actor}`
    const found = await lockApproval(tx, approvalId, { ...decision, subject })
    if (!found) throw unknownApproval()
    if (found.is_own && decision.decision !== 'WITHDRAWN') throw new Failure('second_person_required')
    const { needs, apply } = ACTS[found.kind]
    // Without this, the scope for decisions would be one to erase citizens.
    const missing = (needs ? operatorScopesOf(needs) : []).find((scope) => !scopes.includes(scope))
    if (decision.decision === 'GRANTED' && missing)
      throw new Failure('scope_not_granted', { message: `This change also needs the scope ${missing}` })
    const decided = await decideApproval(tx, approvalId, decision)
    if (!decided) throw new Failure('approval_not_pending')
    if (decision.decision === 'GRANTED') {
      const { actor, requestId } = decision
      // Its own reason is in the row of the decision.
      const reason = needs ? (decided.reason ?? undefined) : decision.reason
      await apply({ ...service, db: tx }, decided, { actor, requestId, reason })
    }
    return decided
  })
  // Until the commit, another request may have read the state before it.
  service.partnerCache.invalidate()
  return approval
}

type ByOperator = { caller: AuthenticatedOperator; path: { approval_id: string }; requestId: string }

/** Decides as an administrator, and replies with the approval. */
export async function decideAsOperator(
  service: Service,
  { caller, path, requestId }: ByOperator,
  decision: Pick<Deciding, 'decision' | 'reason' | 'isOnlyOwn'>,
) {
  const { subject: actor, scopes } = caller
  const row = await decide(service, path.approval_id, { ...decision, actor, scopes, requestId })
  return { status: 200 as const, body: describeApproval(service, caller, row) }
}
