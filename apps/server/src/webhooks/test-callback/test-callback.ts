import type { AdminAction } from '../../audit/insert-audit.sql.ts'
import { Failure, unknownPartner } from '../../failure.ts'
import type { Operation, Service } from '../../operation.ts'
import { toDelivery } from '../delivery.ts'
import { type SampleEvent, sampleEvent } from '../sample-events.ts'
import { insertTestEvent } from './test-callback.sql.ts'

export const testCallback: Operation<'testCallback'> = (service, { caller, path, requestId, traceparent }) =>
  sendTest(service, path.partner_code, sampleEvent('webhook.test'), traceparent, {
    actor: caller.subject,
    requestId,
  })

/** A test event of a member or an administrator. */
export async function sendTest(
  { db }: Service,
  partnerCode: string,
  sample: SampleEvent,
  traceparent: string | null,
  action: Omit<AdminAction, 'kind'>,
) {
  const tested = await insertTestEvent(db, partnerCode, sample, traceparent, {
    ...action,
    kind: 'callback.tested',
  })
  if (!tested) throw unknownPartner()
  if (!tested.delivery)
    throw new Failure('validation_failed', { errors: { callback_url: ['is not set for this partner'] } })
  return { status: 200 as const, body: toDelivery(tested.delivery) }
}
