import type { Operation } from '../../operation.ts'
import { answerAuthorization } from './answer.ts'

export const acceptAuthorization: Operation<'acceptAuthorization'> = async (service, call) => {
  const { caller, path, requestId, traceparent } = call
  const origin = { requestId, traceparent }
  return {
    status: 200,
    body: await answerAuthorization(service, caller.uniqidHmacs, path.tracking_no, 'ACCEPTED', origin),
  }
}
