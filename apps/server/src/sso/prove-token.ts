import { Failure } from '../http/failure.ts'
import type { Service } from '../operation.ts'
import type { AccessToken } from './access-token.ts'
import { findToken, type TokenRow } from './store.ts'

/** An access token that would give something now, and the partner that obtained it. */
export type ProvenToken = AccessToken & TokenRow & { tokenMacs: string[] }

/** Nothing is used up. */
export async function proveToken({ db, keys }: Service, opened: AccessToken): Promise<ProvenToken> {
  const tokenMacs = keys.macs('access_token', opened.jti)
  const token = await findToken(db, { macs: tokenMacs })
  requireUsable(token)
  return { ...opened, ...token, tokenMacs }
}

export function requireUsable(token: TokenRow | undefined): asserts token is TokenRow {
  if (!token || token.is_revoked || !token.is_permitted) throw new Failure('token_invalid')
  if (token.is_used) throw new Failure('token_used')
  if (token.is_expired) throw new Failure('token_expired')
  if (token.status !== 'ACTIVE') throw new Failure('partner_suspended')
}
