import { proveEvent } from '../audit/proof/prove-event.ts'
import { Failure, unknownDisclosure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findDisclosure } from './disclosure.sql.ts'

export const readDisclosureProof: Operation<'readDisclosureProof'> = async (service, { caller, path }) => {
  const disclosure = await findDisclosure(service.db, caller.uniqidHmacs, path.disclosure_id)
  if (!disclosure) throw unknownDisclosure()
  const proof = await proveEvent(service, disclosure.id)
  if (!proof)
    throw new Failure('unavailable', { message: 'This disclosure is not sealed yet', retryAfterSeconds: 1 })
  return { status: 200, body: { disclosure_id: disclosure.request_id, ...proof } }
}
