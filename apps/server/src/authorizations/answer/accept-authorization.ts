import type { Operation } from '../../operation.ts'
import { answerAuthorization } from './answer.ts'

export const acceptAuthorization: Operation<'acceptAuthorization'> = (service, call) =>
  answerAuthorization(service, call, 'ACCEPTED')
