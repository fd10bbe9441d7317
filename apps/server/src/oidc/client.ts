import type { AdapterPayload } from 'oidc-provider'
import { isLoopbackHost } from '../network/addresses.ts'
import { ITEMS } from '../sign-ins/items.ts'
import type { RegistrationRow } from '../sign-ins/registration/registration.sql.ts'
import { SSO_SCOPE } from '../sso/access-token.ts'

/** Our own members of a client's metadata. */
export const OWN_METADATA = ['purposes', 'profile', 'allows_loopback']

/** A partner as a client of the protocol. `undefined`: it may not sign citizens in now. */
export function toClient(row: RegistrationRow | undefined): AdapterPayload | undefined {
  if (!row || row.status !== 'ACTIVE' || !row.scopes.includes(SSO_SCOPE)) return undefined
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
    id_token_signed_response_alg: row.id_token_signed_response_alg,
    scope: ['openid', ...new Set(items.map((item) => ITEMS[item].scope))].join(' '),
    ...(usesKeys
      ? {
          token_endpoint_auth_method: 'private_key_jwt',
          ...(row.jwks_url === null ? { jwks: { keys: row.keys } } : { jwks_uri: row.jwks_url }),
        }
      : // The library compares this text with nothing: `compareClientSecret` reads the partner's secrets.
        { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'not stored' }),
    ...(isFapi && { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true }),
    purposes: row.purposes.map(({ name }) => name),
    profile: row.profile,
    allows_loopback: row.allows_loopback,
  }
}

/** Where developers run their applications. */
export function isLoopbackUri(uri: string): boolean {
  const url = URL.parse(uri)
  return (
    url !== null && url.protocol === 'http:' && !url.hash && !url.username && isLoopbackHost(url.hostname)
  )
}
