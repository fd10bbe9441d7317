import type { Operation } from '../../../operation.ts'
import { revoke } from './revoke-credential.ts'

export const revokeOwnCredential: Operation<'revokeOwnCredential'> = (
  service,
  { caller, path, query, requestId },
) => revoke(service, caller.partnerCode, path.credential_id, { actor: caller.memberId, requestId, ...query })
