import { Failure } from '../../http/failure.ts'
import type { Operation } from '../../operation.ts'
import { setRevoked } from './store.ts'
import { toCredential } from './wire.ts'

export const revokeCredential: Operation<'revokeCredential'> = async ({ db }, { caller, path, requestId }) => {
  const deed = { kind: 'credential.revoked', actor: caller.subject, requestId, detail: path.credential_id }
  const credential = await setRevoked(db, path.partner_code, path.credential_id, deed)
  if (!credential) throw new Failure('not_found', { message: 'This partner has no such credential' })
  return { status: 200, body: toCredential(credential) }
}
