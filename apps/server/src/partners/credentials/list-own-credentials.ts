import type { Operation } from '../../operation.ts'
import { list } from './list-credentials.ts'

export const listOwnCredentials: Operation<'listOwnCredentials'> = (service, { caller }) =>
  list(service, caller.partnerCode)
