import type { AdminAction } from '../../../audit/insert-audit.sql.ts'
import { Failure } from '../../../failure.ts'
import type { Operation, Service } from '../../../operation.ts'
import { toCredential } from '../credential.ts'
import { revokeStoredCredential } from './revoke-credential.sql.ts'

export const revokeCredential: Operation<'revokeCredential'> = (
  service,
  { caller, path, query, requestId },
) => revoke(service, path.partner_code, path.credential_id, { actor: caller.subject, requestId, ...query })

export async function revoke(
  service: Service,
  partnerCode: string,
  id: string,
  by: Omit<AdminAction, 'kind' | 'detail'>,
) {
  const action = { ...by, kind: 'credential.revoked', detail: id }
  const credential = await revokeStoredCredential(service, partnerCode, id, action)
  if (!credential) throw new Failure('not_found', { message: 'This partner has no such credential' })
  return { status: 200 as const, body: toCredential(credential) }
}
