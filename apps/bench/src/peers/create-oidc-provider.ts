import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'
import type pg from 'pg'
import { createAdapterFactory } from './oidc-adapter.ts'

export const OIDC_CLIENT = {
  client_id: 'bench',
  client_secret: 'a client secret of more than thirty-two characters',
  redirect_uri: 'https://partner.bench.invalid/signed-in',
  scope: 'openid profile',
}

/** `RS256` is the default of OpenID Connect; `EdDSA` is the cheapest algorithm that oidc-provider offers. */
export type SignatureAlgorithm = 'RS256' | 'EdDSA'

const TTL_SECONDS = 3_600
const CLAIMS = [
  'email', 'birth_date', 'first_name', 'middle_name', 'last_name', 'suffix', 'gender', 'nationality', 'photo',
  'mobile', 'address', 'street', 'barangay', 'municipality', 'region', 'province', 'country',
  'address_line_2', 'barangay_code', 'province_code', 'municipality_code', 'region_code', 'country_id',
  'foreign_address',
] // prettier-ignore

/**
 * Creates a provider with a usual configuration for a partner: opaque access tokens, `client_secret_post`,
 * and the profile from the userinfo endpoint, which reads the provider's own table.
 */
export function createOidcProvider(pool: pg.Pool, algorithm: SignatureAlgorithm): Provider {
  const { client_id, client_secret, redirect_uri } = OIDC_CLIENT
  return new Provider('https://oidc.bench.invalid', {
    adapter: createAdapterFactory(pool),
    clients: [
      {
        client_id,
        client_secret,
        redirect_uris: [redirect_uri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: algorithm,
      },
    ],
    jwks: { keys: [createSigningKey(algorithm)] },
    clientAuthMethods: ['client_secret_post'],
    claims: { openid: ['sub'], profile: CLAIMS },
    cookies: { keys: ['the measured journey sets no cookies'] },
    features: { devInteractions: { enabled: false } },
    // The service has no PKCE either: a confidential client redeems its code with its secret.
    pkce: { required: () => false },
    ttl: {
      AccessToken: TTL_SECONDS,
      AuthorizationCode: TTL_SECONDS,
      Grant: TTL_SECONDS,
      IdToken: TTL_SECONDS,
    },
    findAccount: async (_ctx: unknown, sub: string) => {
      const { rows } = await pool.query<{ claims: object }>({
        name: 'account',
        text: 'select claims from account where id = $1',
        values: [sub],
      })
      return rows[0] && { accountId: sub, claims: async () => ({ ...rows[0]!.claims, sub }) }
    },
  })
}

function createSigningKey(algorithm: SignatureAlgorithm) {
  const { privateKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ed25519')
  return { ...privateKey.export({ format: 'jwk' }), alg: algorithm, use: 'sig', kid: 'bench' }
}
