import type { Operation } from '../../operation.ts'
import { answerAuthorization } from './answer.ts'

export const declineAuthorization: Operation<'declineAuthorization'> = (service, call) =>
  answerAuthorization(service, call, 'DECLINED')
