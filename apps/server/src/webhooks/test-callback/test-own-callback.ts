import type { Operation } from '../../operation.ts'
import { sampleEvent } from '../sample-events.ts'
import { sendTest } from './test-callback.ts'

export const testOwnCallback: Operation<'testOwnCallback'> = (
  service,
  { caller, body, requestId, traceparent },
) => {
  const action = { actor: caller.memberId, requestId, detail: body.type }
  return sendTest(service, caller.partnerCode, sampleEvent(body.type), traceparent, action)
}
