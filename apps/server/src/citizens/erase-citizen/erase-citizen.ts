import { unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { signReceipt } from '../../secrets/receipt.ts'
import { destroyDataKey } from './erase-citizen.sql.ts'

export const eraseCitizen: Operation<'eraseCitizen'> = async (
  { db, keys, config },
  { caller, path, requestId },
) => {
  const uniqidHmacs = keys.hmacs('uniqid', path.uniqid)
  const erased = await destroyDataKey(db, { uniqidHmacs }, { actor: caller.subject, requestId })
  if (!erased) throw unknownCitizen()
  const { subject, erased_at } = erased
  const claims = { event: 'citizen.erased', subject, requestId, issuer: config.publicUrl, at: erased_at }
  return {
    status: 200,
    body: { erased_at: erased_at.toISOString(), subject, receipt: await signReceipt(keys, claims) },
  }
}
