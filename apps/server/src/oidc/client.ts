import type { AdapterPayload } from 'oidc-provider'
import { withoutEdwardsAlg } from '../authentication/read-keys.ts'
import type { CheckName } from '../diagnostics/refusal.ts'
import { isLoopbackHost } from '../network/addresses.ts'
import { ITEMS } from '../sign-ins/items.ts'
import type { RegistrationRow } from '../sign-ins/registration/registration.sql.ts'
import { SSO_SCOPE } from '../sso/access-token.ts'

/** Our own members of a client's metadata. */
export const OWN_METADATA = ['purposes', 'profile', 'allows_loopback', 'limits', 'is_slowed']

/** Why a partner may not sign citizens in now. `undefined`: it may. */
export function refusedBy(
  row: RegistrationRow | undefined,
): { check: CheckName; detail?: string } | undefined {
  if (!row) return { check: 'scope', detail: 'the administrator has registered nothing for OpenID Connect' }
  if (row.status !== 'ACTIVE') return { check: 'suspension' }
  if (!row.scopes.includes(SSO_SCOPE))
    return { check: 'scope', detail: `the scope ${SSO_SCOPE} is not granted` }
  return undefined
}

/** A partner as a client of the protocol. */
export function toClient(row: RegistrationRow): AdapterPayload {
  const items = row.purposes.flatMap((purpose) => [...purpose.items, ...purpose.optional_items])
  const isFapi = row.profile === 'fapi2'
  const usesKeys = row.jwks_url !== null || row.keys.length > 0
  return {
    client_id: row.partner_code,
    redirect_uris: row.redirect_uris,
    post_logout_redirect_uris: row.post_logout_redirect_uris,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    subject_type: 'pairwise',
    // The library then refuses a request without the scope `openid`. Without an ID token, nothing would be disclosed.
    require_auth_time: true,
    // The library demands one for redirect URIs on several hosts. Nothing reads it.
    sector_identifier_uri: 'https://sector.invalid',
    id_token_signed_response_alg: row.id_token_signed_response_alg,
    scope: ['openid', ...new Set(items.map((item) => ITEMS[item].scope))].join(' '),
    ...(usesKeys
      ? {
          token_endpoint_auth_method: 'private_key_jwt',
          ...(row.jwks_url === null
            ? { jwks: { keys: row.keys.map(withoutEdwardsAlg) } }
            : { jwks_uri: row.jwks_url }),
        }
      : // The library compares this text with nothing: `compareClientSecret` reads the partner's secrets.
        { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'not stored' }),
    ...(isFapi && { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true }),
    purposes: row.purposes.map(({ name }) => name),
    profile: row.profile,
    allows_loopback: row.allows_loopback,
    limits: row.limits,
    is_slowed: row.is_slowed,
  }
}

/** Where developers run their applications. */
export function isLoopbackUri(uri: string): boolean {
  const url = URL.parse(uri)
  return (
    url !== null && url.protocol === 'http:' && !url.hash && !url.username && isLoopbackHost(url.hostname)
  )
}
