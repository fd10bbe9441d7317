import type { Operation } from '../operation.ts'
import { decideAsOperator } from './decide.ts'

export const grantApproval: Operation<'grantApproval'> = (service, call) =>
  decideAsOperator(service, call, { decision: 'GRANTED', ...call.query })
