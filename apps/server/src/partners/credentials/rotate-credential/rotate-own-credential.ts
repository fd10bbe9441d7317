import type { Operation } from '../../../operation.ts'
import { rotate } from './rotate-credential.ts'

export const rotateOwnCredential: Operation<'rotateOwnCredential'> = (
  service,
  { caller, query, body, requestId },
) => rotate(service, caller.partnerCode, body, { actor: caller.memberId, requestId, ...query })
