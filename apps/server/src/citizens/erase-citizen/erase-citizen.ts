import { needsApproval, toApproval } from '../../approvals/approval.ts'
import { ask } from '../../approvals/ask.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { destroyDataKey, findErasure, lockCitizen } from './erase-citizen.sql.ts'
import { toReceipt } from './receipt.ts'

export const eraseCitizen: Operation<'eraseCitizen'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const { db, keys } = service
  const uniqidHmacs = keys.hmacs('uniqid', path.uniqid)
  const by = { actor: caller.subject, requestId, ...query }
  const waits = needsApproval(service.config, 'erasure')
  if (waits) {
    const approval = await inTransaction(db, async (tx) => {
      const citizen = await lockCitizen(tx, uniqidHmacs)
      if (!citizen) return undefined
      const { id: citizenId, subject } = citizen
      const act = { kind: 'erasure' as const, partnerId: null, citizenId, change: { subject }, previous: {} }
      return ask({ ...service, db: tx }, act, by)
    })
    if (approval) return { status: 202, body: toApproval(approval, path.uniqid) }
  }
  const erased = waits ? undefined : await destroyDataKey(db, { uniqidHmacs }, by)
  // A repeated request, whose first response may be lost, gets the receipt of the first.
  const erasure = erased ? { ...erased, request_id: requestId } : await findErasure(db, uniqidHmacs)
  if (!erasure) throw unknownCitizen()
  return { status: 200, body: await toReceipt(service, erasure) }
}
