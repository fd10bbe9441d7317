import { Failure, unknownPartner } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { toDelivery } from '../delivery.ts'
import { insertTestEvent } from './test-callback.sql.ts'

export const testCallback: Operation<'testCallback'> = async (
  { db },
  { caller, path, requestId, traceparent },
) => {
  const tested = await insertTestEvent(db, path.partner_code, traceparent, {
    kind: 'callback.tested',
    actor: caller.subject,
    requestId,
  })
  if (!tested) throw unknownPartner()
  if (!tested.delivery)
    throw new Failure('validation_failed', { errors: { callback_url: ['is not set for this partner'] } })
  return { status: 200, body: toDelivery(tested.delivery) }
}
