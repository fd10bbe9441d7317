import type { Operation } from '../operation.ts'
import { decideAsOperator } from './decide.ts'

export const withdrawOwnApproval: Operation<'withdrawOwnApproval'> = (service, call) =>
  decideAsOperator(service, call, { decision: 'WITHDRAWN', isOnlyOwn: true })
