// An identity provider at which people sign in with a browser: OpenID Connect, authorization code with PKCE, by
// openid-client.
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type { ClientAuth, Configuration } from 'openid-client'
import {
  CLOCK_TOLERANCE_SECONDS,
  isNameOfPerson,
  verifyWithAnyKey,
} from '../../authentication/identity-tokens.ts'
import { createKeySet, KeysUnavailable } from '../../authentication/key-set.ts'
import { Failure } from '../../failure.ts'
import { fetchProvider } from './fetch-provider.ts'

/** The endpoints and keys of a provider may change. */
const KEPT_MS = 3_600_000
/** For each request to a provider. A person waits for it. */
const TIMEOUT_SECONDS = 10

export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** In place of the network: the provider of the sandbox runs in this process. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** What a browser brings through the sign-in, and the server computes again: nothing of it is stored. */
export type Secrets = { state: string; nonce: string; codeVerifier: string }

/** `claims`: those of the ID token. */
export type SignedIn = {
  claims: Record<string, unknown> & { iss: string; sub: string }
  accessToken: string
}

export type IdentityProvider = {
  /** Where the browser goes. */
  authorizationUrl(secrets: Secrets, redirectUri: string, hints: Record<string, string>): Promise<URL>
  /** What the provider says of the person, if the answer at `url` is that of this sign-in. Throws otherwise. */
  redeem(url: URL, secrets: Secrets): Promise<SignedIn>
}

/** `scope`: what a sign-in asks for. */
export function identityProvider(settings: ProviderSettings & { scope: string }): IdentityProvider {
  let known: { provider: Promise<KnownProvider>; untilMs: number } | undefined

  /** A provider that cannot be reached is asked again by the next browser. */
  async function findProvider(): Promise<KnownProvider> {
    if (!known || Date.now() > known.untilMs)
      known = { provider: openProvider(settings), untilMs: Date.now() + KEPT_MS }
    const { provider } = known
    return provider.catch((cause: unknown) => {
      if (known?.provider === provider) known = undefined
      throw unavailable(cause)
    })
  }

  return {
    authorizationUrl: async ({ state, nonce, codeVerifier }, redirectUri, hints) => {
      // The library is loaded late, as a start needs none of it.
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      return buildAuthorizationUrl((await findProvider()).configuration, {
        ...hints,
        redirect_uri: redirectUri,
        scope: settings.scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },
    redeem: async (url, { state, nonce, codeVerifier }) => {
      const { authorizationCodeGrant } = await import('openid-client')
      const { configuration, findKey } = await findProvider()
      const tokens = await authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      // The library checks the claims. Its check of the signature refuses every token of a provider that publishes
      // several keys without a `kid`.
      const options = { clockTolerance: CLOCK_TOLERANCE_SECONDS }
      await verifyWithAnyKey(tokens.id_token!, findKey, options).catch((error: unknown) => {
        throw error instanceof KeysUnavailable ? unavailable(error) : error
      })
      const claims = tokens.claims()!
      if (!isNameOfPerson(claims.sub)) throw new Error('the sub is no name of a person')
      return { claims, accessToken: tokens.access_token }
    },
  }
}

const unavailable = (cause: unknown) => new Failure('unavailable', { retryAfterSeconds: 5, cause })

type KnownProvider = { configuration: Configuration; findKey: JWTVerifyGetKey }

async function openProvider(settings: ProviderSettings): Promise<KnownProvider> {
  const configuration = await discover(settings)
  const url = configuration.serverMetadata().jwks_uri!
  const { findKey } = settings.fetch
    ? { findKey: createRemoteJWKSet(new URL(url), { [customFetch]: settings.fetch }) }
    : createKeySet({ url, keptMs: KEPT_MS })
  return { configuration, findKey }
}

/**
 * Reads the discovery document of the provider. A provider that does not list `client_secret_post` gets the secret by
 * `client_secret_basic`, which it must know (RFC 6749, section 2.3.1).
 */
export async function discover({
  issuer,
  clientId,
  clientSecret,
  fetch = fetchProvider,
}: ProviderSettings): Promise<Configuration> {
  const client = await import('openid-client')
  const authenticate: ClientAuth = (server, ...request) => {
    if (clientSecret === undefined) return client.None()(server, ...request)
    const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (isPost ? client.ClientSecretPost : client.ClientSecretBasic)(clientSecret)(server, ...request)
  }
  const configuration = await client.discovery(new URL(issuer), clientId, clientSecret, authenticate, {
    // `live` has refused plain http, except to this machine. The provider of the sandbox has a page of this service.
    execute: issuer.startsWith('http:') || fetch !== fetchProvider ? [client.allowInsecureRequests] : [],
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: fetch as never,
  })
  return configuration
}
