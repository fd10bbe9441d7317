import type { Operation } from '../operation.ts'
import { decideAsOperator } from './decide.ts'

export const returnApproval: Operation<'returnApproval'> = (service, call) =>
  decideAsOperator(service, call, { decision: 'RETURNED', ...call.body })
