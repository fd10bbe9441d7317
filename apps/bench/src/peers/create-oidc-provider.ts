import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'
import type pg from 'pg'
import { adapterOver } from './oidc-adapter.ts'

export const OIDC_CLIENT = {
  client_id: 'bench',
  client_secret: 'a client secret of more than thirty-two characters',
  redirect_uri: 'https://partner.bench.invalid/signed-in',
  scope: 'openid profile',
}

/** `RS256` is what OpenID Connect signs with unless told otherwise; `EdDSA` is the cheapest that the provider offers. */
export type Signature = 'RS256' | 'EdDSA'

const LIFE_SECONDS = 3_600
const CLAIMS = [
  'email', 'birth_date', 'first_name', 'middle_name', 'last_name', 'suffix', 'gender', 'nationality', 'photo', 'mobile', 'address', 'street',
  'barangay', 'municipality', 'region', 'province', 'country', 'address_line_2', 'barangay_code', 'province_code', 'municipality_code',
  'region_code', 'country_id', 'foreign_address',
] // prettier-ignore

/** The provider as a partner would meet it: opaque access tokens, `client_secret_post`, the profile by userinfo from its own table. */
export function createProvider(pool: pg.Pool, signature: Signature): Provider {
  const { client_id, client_secret, redirect_uri } = OIDC_CLIENT
  return new Provider('https://oidc.bench.invalid', {
    adapter: adapterOver(pool),
    clients: [
      {
        client_id,
        client_secret,
        redirect_uris: [redirect_uri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: signature,
      },
    ],
    jwks: { keys: [signingKey(signature)] },
    clientAuthMethods: ['client_secret_post'],
    claims: { openid: ['sub'], profile: CLAIMS },
    cookies: { keys: ['no cookie is set on this journey'] },
    features: { devInteractions: { enabled: false } },
    // Ours has none either: a confidential client redeems its code with its secret.
    pkce: { required: () => false },
    ttl: { AccessToken: LIFE_SECONDS, AuthorizationCode: LIFE_SECONDS, Grant: LIFE_SECONDS, IdToken: LIFE_SECONDS },
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

function signingKey(signature: Signature) {
  const { privateKey } = signature === 'RS256' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519')
  return { ...privateKey.export({ format: 'jwk' }), alg: signature, use: 'sig', kid: 'bench' }
}
