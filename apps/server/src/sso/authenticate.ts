import { toSsoProfile } from '../citizens/profile.ts'
import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { consumeToken, findToken, SSO_SCOPE } from './store.ts'

export const authenticate: Operation<'authenticate'> = async ({ db, keys }, { caller, requestId }) => {
  const tokenMac = keys.mac('access_token', caller.jti)
  const token = await findToken(db, tokenMac)
  if (!token || token.is_revoked) throw new Failure('token_invalid')
  if (token.is_used) throw new Failure('token_used')
  if (token.is_expired) throw new Failure('token_expired')
  if (token.partner_status !== 'ACTIVE') throw new Failure('partner_suspended')
  if (!token.partner_scopes.includes(SSO_SCOPE)) throw new Failure('scope_not_granted')
  const commit = async () => {
    if (!(await consumeToken(db, tokenMac, requestId))) throw new Failure('token_used')
  }
  return { status: 200, body: { status: 200, message: 'OK', data: toSsoProfile(token) }, commit }
}
