import { generateKeyPairSync } from 'node:crypto'
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import { mapConcurrently } from '@tiwala/kit/map-concurrently'
import { type AdapterFactory, type AdapterPayload, type ClientMetadata, Provider } from 'oidc-provider'
import pg from 'pg'

export const OIDC_CLIENT = {
  client_id: 'bench',
  client_secret: 'a client secret of more than thirty-two characters',
  redirect_uri: 'https://partner.bench.invalid/signed-in',
}
const SCOPE = 'openid profile'
const TTL_SECONDS = 3_600
const { uniqid: _, postal: __, ...CLAIMS } = partner.components.schemas.Profile.properties

/**
 * Creates a provider with a usual configuration for a partner: opaque access tokens, `client_secret_post`,
 * and the profile from the userinfo endpoint, which reads the provider's own table.
 */
export function createOidcProvider(pool: pg.Pool, algorithm: string): Provider {
  const { redirect_uri, ...credentials } = OIDC_CLIENT
  const client: ClientMetadata = {
    ...credentials,
    redirect_uris: [redirect_uri],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_post',
    id_token_signed_response_alg: algorithm as 'RS256' | 'EdDSA',
  }
  return new Provider('https://oidc.bench.invalid', {
    adapter: adapterFactory(pool),
    clients: [client],
    jwks: { keys: [createSigningKey(algorithm)] },
    clientAuthMethods: ['client_secret_post'],
    claims: { openid: ['sub'], profile: Object.keys(CLAIMS) },
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
    findAccount: async (_ctx, sub) => {
      const { rows } = await pool.query<{ claims: object }>({
        name: 'account',
        text: 'select claims from account where id = $1',
        values: [sub],
      })
      return rows[0] && { accountId: sub, claims: async () => ({ ...rows[0]!.claims, sub }) }
    },
  })
}

/** RS256 is the default of OpenID Connect; EdDSA is the cheapest algorithm that oidc-provider offers. */
function createSigningKey(algorithm: string) {
  const { privateKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ed25519')
  return { ...privateKey.export({ format: 'jwk' }), alg: algorithm, use: 'sig', kid: 'bench' }
}

/** Stores all models in one table. Each connection prepares each statement once. */
const adapterFactory =
  (pool: pg.Pool): AdapterFactory =>
  (type) => {
    const run = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
    return {
      upsert: async (id, payload, expiresInSeconds) =>
        void (await run('oidc-upsert', UPSERT, [
          id,
          type,
          JSON.stringify(payload),
          payload.grantId ?? null,
          expiresInSeconds ?? null,
        ])),
      find: async (id) => (await run('oidc-find', FIND, [type, id])).rows[0]?.payload as AdapterPayload,
      consume: async (id) => void (await run('oidc-consume', CONSUME, [type, id])),
      destroy: async (id) => void (await run('oidc-destroy', DESTROY, [type, id])),
      revokeByGrantId: async (grantId) => void (await run('oidc-revoke', REVOKE, [grantId])),
      findByUid: async (uid) =>
        (await run('oidc-find-by-uid', FIND_BY_UID, [type, uid])).rows[0]?.payload as AdapterPayload,
      // The measured journey has no device codes.
      findByUserCode: async () => undefined,
    }
  }

const UPSERT = `
  insert into oidc_model (id, type, payload, grant_id, expires_at)
  values ($1, $2, $3, $4, now() + make_interval(secs => $5))
  on conflict (type, id) do update
     set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`
const FIND = `
  select case when consumed_at is null then payload else payload || '{"consumed": true}' end as payload
    from oidc_model
   where type = $1 and id = $2 and (expires_at is null or now() < expires_at)`
const FIND_BY_UID = `
  select payload from oidc_model
   where type = $1 and payload ? 'uid' and payload->>'uid' = $2 and (expires_at is null or now() < expires_at)`
const CONSUME = 'update oidc_model set consumed_at = now() where type = $1 and id = $2'
const DESTROY = 'delete from oidc_model where type = $1 and id = $2'
const REVOKE = 'delete from oidc_model where grant_id = $1'

/** Creates authorization codes of the peer, each with its grant. */
export async function issueOidcCodes(
  databaseUrl: string,
  count: number,
  options?: { hasSession: boolean },
): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  const { rows: accounts } = await pool.query<{ id: string }>('select id from account')
  const provider = createOidcProvider(pool, 'EdDSA')
  const { client_id: clientId, redirect_uri: redirectUri } = OIDC_CLIENT
  const codes = await mapConcurrently(Array.from({ length: count }).keys(), async (index) => {
    const accountId = accounts[index % accounts.length]!.id
    const { code } = await saveCode(provider, { accountId, clientId, redirectUri, ...options })
    return code
  })
  await pool.end()
  return codes
}

type NewCode = {
  accountId: string
  clientId: string
  redirectUri: string
  /** PKCE with S256. */
  codeChallenge?: string
  /** The code ends with the session of a browser, as codes of a browser do. */
  hasSession?: boolean
}

/** Stores what a provider stores until a user has consented: the session, the grant and the code. */
export async function saveCode(provider: Provider, { hasSession, codeChallenge, ...code }: NewCode) {
  const { accountId, clientId } = code
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(SCOPE)
  const grantId = await grant.save()
  const session = hasSession ? new provider.Session() : undefined
  if (session) {
    const loginTs = Math.floor(Date.now() / 1_000)
    Object.assign(session, { accountId, loginTs, authorizations: { [clientId]: { grantId } } })
    await session.save(TTL_SECONDS)
  }
  const properties = {
    ...code,
    grantId,
    scope: SCOPE,
    expiresIn: TTL_SECONDS,
    ...(session && { sessionUid: session.uid, expiresWithSession: true }),
    ...(codeChallenge && { codeChallenge, codeChallengeMethod: 'S256' }),
  }
  return { grantId, code: await new provider.AuthorizationCode(properties as never).save() }
}
