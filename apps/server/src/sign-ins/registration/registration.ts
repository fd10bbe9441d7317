import { createPublicKey } from 'node:crypto'
import type { Schemas } from '@tiwala/contract'
import type { Config } from '../../config.ts'
import { Failure } from '../../failure.ts'
import { createAddressCheck } from '../../network/addresses.ts'
import { requireSafeUrl } from '../../network/safe-url.ts'
import { requirePlainLetters } from '../../partners/similar-names.ts'
import type { Registration } from './registration.sql.ts'

/** The service adds them when the browser returns. */
const ADDED_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description']

/** Refuses what the protocol, or the settings of this service, cannot use. */
export function requireUsable(registration: Registration, config: Config): void {
  const { redirect_uris, post_logout_redirect_uris, profile, keys, jwks_url, purposes } = registration
  const { environment, callbackAddresses, acrValues } = config
  const lists = { redirect_uris, post_logout_redirect_uris }
  for (const [field, uris] of Object.entries(lists))
    for (const [index, uri] of uris.entries()) {
      requireSafeUrl(`${field}.${index}`, uri, environment)
      if (uri.includes('#')) throw refuse(`${field}.${index}`, 'must have no fragment')
      const query = /\?(.*)/s.exec(uri)?.[1] ?? ''
      const names = [...new URLSearchParams(query).keys()]
      // The library writes the query again when it adds its parameters.
      if (String(new URLSearchParams(query)) !== query)
        throw refuse(`${field}.${index}`, 'must have its query as a form writes it, such as a=1&b=two+words')
      if (names.some((name) => ADDED_PARAMETERS.includes(name)))
        throw refuse(`${field}.${index}`, `must not have ${ADDED_PARAMETERS.join(', ')} in its query`)
    }
  requireSafeUrl('jwks_url', jwks_url, environment, createAddressCheck(callbackAddresses))
  for (const [index, key] of keys.entries())
    if (!isUsableKey(key))
      throw refuse(
        `keys.${index}`,
        'must be a key of RSA (2,048 bits at least), P-256 or Ed25519, and its alg',
      )
  if (jwks_url !== null && keys.length) throw refuse('keys', 'must be empty beside a jwks_url')
  if (profile === 'fapi2' && jwks_url === null && !keys.length)
    throw refuse('keys', 'are needed for fapi2, or a jwks_url')
  if (profile === 'fapi2' && registration.id_token_signed_response_alg !== 'ES256')
    throw refuse('id_token_signed_response_alg', 'must be ES256 for fapi2')
  for (const [index, purpose] of purposes.entries()) {
    const { name, text, items, optional_items, minimum_acr } = purpose
    if (purposes.findIndex((other) => other.name === name) < index)
      throw refuse(`purposes.${index}.name`, 'is the name of another purpose')
    if (items.some((item) => optional_items.includes(item)))
      throw refuse(`purposes.${index}.optional_items`, 'must name no required item')
    if (minimum_acr !== null && !acrValues.includes(minimum_acr))
      throw refuse(`purposes.${index}.minimum_acr`, 'must be one of TIWALA_ACR_VALUES')
    requirePlainLetters({ purpose: text })
  }
}

/** By the type of the key. */
const ALGORITHMS: Record<string, string[]> = {
  rsa: ['RS256', 'PS256'],
  ec: ['ES256'],
  ed25519: ['EdDSA', 'Ed25519'],
}
const MIN_RSA_BITS = 2_048

/** With a key that the library cannot use, no sign-in of the partner would succeed. */
function isUsableKey(jwk: Schemas['PublicKey']): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails } = createPublicKey({ key: jwk, format: 'jwk' })
    const { modulusLength, namedCurve } = asymmetricKeyDetails!
    if (type === 'rsa' && modulusLength! < MIN_RSA_BITS) return false
    if (type === 'ec' && namedCurve !== 'prime256v1') return false
    const algorithms = ALGORITHMS[type!] ?? []
    return jwk.alg === undefined ? algorithms.length > 0 : algorithms.includes(jwk.alg)
  } catch {
    return false
  }
}

/** Of a visitor of a sandbox that others can reach. */
export const refuseKeysUrl = () => refuse('jwks_url', 'cannot be used in this sandbox. Use `keys`')

const refuse = (field: string, message: string) =>
  new Failure('validation_failed', { errors: { [field]: [message] } })

export const toRegistration = (row: Registration): Registration => ({
  redirect_uris: row.redirect_uris,
  post_logout_redirect_uris: row.post_logout_redirect_uris,
  profile: row.profile,
  id_token_signed_response_alg: row.id_token_signed_response_alg,
  keys: row.keys,
  jwks_url: row.jwks_url,
  purposes: row.purposes,
})
