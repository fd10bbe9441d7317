import type { Schemas } from '@tiwala/contract'
import { type ApprovalKind, needsApproval, toApproval } from '../approvals/approval.ts'
import { ask, type Asking } from '../approvals/ask.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { unknownPartner } from '../failure.ts'
import type { Service } from '../operation.ts'
import { findPartner, lockPartnerByCode, type PartnerWithEtag } from './partner.sql.ts'

type Difference = Record<'change' | 'previous', Schemas['ApprovalChange']>
type Waiting = { status: 202; body: Schemas['Approval'] }

/**
 * Changes a partner, or has the change wait for a second person. `differenceOf`: what waits; `undefined` if this change needs
 * no second person. The partner is locked from the comparison to the change, so no parallel change makes the comparison
 * wrong.
 */
export async function changeOrAsk<Reply>(
  service: Service,
  partnerCode: string,
  kind: ApprovalKind,
  by: Asking,
  {
    differenceOf,
    change,
  }: {
    differenceOf: (partner: PartnerWithEtag) => Difference | undefined
    change: (service: Service) => Promise<Reply>
  },
): Promise<Reply | Waiting> {
  if (!needsApproval(service.config, kind)) return change(service)
  const reply = await inTransaction(service.db, async (db): Promise<Reply | Waiting> => {
    await lockPartnerByCode(db, partnerCode)
    const partner = await findPartner(db, partnerCode)
    if (!partner) throw unknownPartner()
    const difference = differenceOf(partner)
    if (!difference) return change({ ...service, db })
    const act = { kind, partnerId: partner.id, ...difference }
    return { status: 202, body: toApproval(await ask({ ...service, db }, act, by)) }
  })
  // Until the commit, another request may have read the state before it.
  service.partnerCache.invalidate()
  return reply
}
