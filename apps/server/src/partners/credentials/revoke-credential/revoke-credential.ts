import { Failure } from '../../../failure.ts'
import type { Operation } from '../../../operation.ts'
import { toCredential } from '../credential.ts'
import { revokeStoredCredential } from './revoke-credential.sql.ts'

export const revokeCredential: Operation<'revokeCredential'> = async (
  service,
  { caller, path, query, requestId },
) => {
  const action = {
    kind: 'credential.revoked',
    actor: caller.subject,
    requestId,
    detail: path.credential_id,
    ...query,
  }
  const credential = await revokeStoredCredential(service, path.partner_code, path.credential_id, action)
  if (!credential) throw new Failure('not_found', { message: 'This partner has no such credential' })
  return { status: 200, body: toCredential(credential) }
}
