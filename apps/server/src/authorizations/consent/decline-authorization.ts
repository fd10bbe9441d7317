import type { Operation } from '../../operation.ts'
import { answerAuthorization } from './answer.ts'

export const declineAuthorization: Operation<'declineAuthorization'> = async (
  service,
  { caller, path, requestId },
) => ({
  status: 200,
  body: await answerAuthorization(service, caller.uniqidHmacs, path.tracking_no, 'DECLINED', requestId),
})
