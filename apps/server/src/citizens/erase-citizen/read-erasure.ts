import { unknownCitizen } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findErasure } from './erase-citizen.sql.ts'
import { toReceipt } from './receipt.ts'

export const readErasure: Operation<'readErasure'> = async (service, { path }) => {
  const erasure = await findErasure(service.db, service.keys.hmacs('uniqid', path.uniqid))
  if (!erasure) throw unknownCitizen()
  return { status: 200, body: await toReceipt(service, erasure) }
}
