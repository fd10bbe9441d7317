import { toSsoProfile } from '../citizens/profile.ts'
import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { consumeToken, findToken, SSO_SCOPE, type TokenRow } from './store.ts'

export const authenticate: Operation<'authenticate'> = async ({ db, keys }, { caller, requestId }) => {
  const tokenMac = keys.mac('access_token', caller.jti)
  const token = await findToken(db, tokenMac)
  const refusal = refusalOf(token)
  if (!token || refusal) throw refusal
  const commit = async () => {
    if (await consumeToken(db, tokenMac, requestId)) return
    // Something came between: what it was, the token tells now.
    throw refusalOf(await findToken(db, tokenMac)) ?? new Failure('unavailable', { retryAfterSeconds: 1 })
  }
  return { status: 200, body: { status: 200, message: 'OK', data: toSsoProfile(token) }, commit }
}

/** Why a token gives nothing now; `undefined` where it would. */
function refusalOf(token: TokenRow | undefined): Failure | undefined {
  if (!token || token.is_revoked) return new Failure('token_invalid')
  if (token.is_used) return new Failure('token_used')
  if (token.is_expired) return new Failure('token_expired')
  if (token.partner_status !== 'ACTIVE') return new Failure('partner_suspended')
  return token.partner_scopes.includes(SSO_SCOPE) ? undefined : new Failure('scope_not_granted')
}
