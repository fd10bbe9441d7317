import type { Schemas } from '@tiwala/contract'
import { Failure } from '../failure.ts'
import type { Service } from '../operation.ts'
import { timedHmacs } from '../secrets/timed-hmac.ts'
import type { AccessToken } from '../sso/access-token.ts'
import {
  type AuthenticatedToken,
  findToken,
  type TokenCitizen,
  type TokenRow,
} from '../sso/authenticate/authenticate.sql.ts'

type Authenticated = { caller: AuthenticatedToken; loaded: TokenCitizen }

/** Finds a valid token, its partner, and the citizen whose profile it gives. The token is not used up. */
export async function authenticateAccessToken(
  { db, keys }: Service,
  decrypted: AccessToken,
  passed: (check: Schemas['CheckName']) => void,
  found: (partnerCode: string) => void,
): Promise<Authenticated> {
  const tokenHmacs = timedHmacs(keys, 'access_token', decrypted.jti)
  const row = await findToken(db, { hmacs: tokenHmacs })
  if (row) found(row.partner_code)
  requireUsable(row)
  passed('access_token')
  if (row.status !== 'ACTIVE') throw new Failure('partner_suspended')
  passed('suspension')
  const { subject, data_key, profile, passport, ...token } = row
  return { caller: { ...decrypted, ...token, tokenHmacs }, loaded: { subject, data_key, profile, passport } }
}

function requireUsable(token: TokenRow | undefined): asserts token is TokenRow {
  if (!token || token.is_revoked || !token.is_permitted) throw new Failure('token_invalid')
  if (token.is_used) throw new Failure('token_used')
  if (token.is_expired) throw new Failure('token_expired')
}
