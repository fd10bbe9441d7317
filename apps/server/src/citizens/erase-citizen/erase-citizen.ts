import { unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { destroyDataKey, findErasure } from './erase-citizen.sql.ts'
import { toReceipt } from './receipt.ts'

export const eraseCitizen: Operation<'eraseCitizen'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const { db, keys } = service
  const uniqidHmacs = keys.hmacs('uniqid', path.uniqid)
  const erased = await destroyDataKey(db, { uniqidHmacs }, { actor: caller.subject, requestId, ...query })
  // A repeated request, whose first response may be lost, gets the receipt of the first.
  const erasure = erased ? { ...erased, request_id: requestId } : await findErasure(db, uniqidHmacs)
  if (!erasure) throw unknownCitizen()
  return { status: 200, body: await toReceipt(service, erasure) }
}
