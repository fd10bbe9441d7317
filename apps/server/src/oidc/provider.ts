// The protocol: oidc-provider with our storage, clients, keys and claims.
import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type {
  Configuration,
  ErrorOut,
  errors as Errors,
  KoaContextWithOIDC,
  Provider as ProviderType,
} from 'oidc-provider'
import { isDatabaseUnavailable } from '../database/unavailable.ts'
import { describeError } from '../describe-error.ts'
import { addressOf } from '../network/addresses.ts'
import { cookieNameOf, cookieOptions, readCookie } from '../network/cookies.ts'
import type { Service } from '../operation.ts'
import { isAllowedAddress } from '../partners/allow-list.ts'
import type { PartnerRow } from '../partners/partner.ts'
import { derive, type KeyRing } from '../secrets/key-ring.ts'
import { CELL, mintCookie } from '../secrets/tokens.ts'
import { ITEM_NAMES, ITEMS } from '../sign-ins/items.ts'
import type { RegistrationRow } from '../sign-ins/registration/registration.sql.ts'
import { OIDC_PATH, pagePath } from '../sign-ins/sign-in.ts'
import { createFindAccount } from './account.ts'
import { createAssertClaims } from './claims-parameter.ts'
import { isPartnerSecret } from './client-secret.ts'
import { isLoopbackUri, OWN_METADATA, refusedBy, toClient } from './client.ts'
import { createFetchKeys } from './fetch-keys.ts'
import { renderEnded, renderLogout, renderLoggedOut } from './pages.ts'
import { exchangeOf, findingsOf, type Refusals } from './refusals.ts'
import { createAdapter, INTERACTION_SECONDS } from './state-adapter.ts'
import { LANGUAGES, languageOf } from './texts.ts'

export type Provider = ProviderType

export const SIGN_IN_SECONDS = 300
const CODE_SECONDS = 60
const TOKEN_SECONDS = 600
/** How far the clock of a partner may be ahead. */
const CLOCK_TOLERANCE_SECONDS = 10
/** An assertion is stored until it expires, so that it works once. RFC 7523, section 3, allows to refuse a distant time. */
const MAX_ASSERTION_SECONDS = 3_600
/** Longer than everything that needs it. */
const GRANT_SECONDS = 1_200
const SESSION_SECONDS = 3_600
/** When the client of a request that met no database should try again. */
const RETRY_SECONDS = 2

/** The requests that a partner's server sends. */
const AUTHENTICATED_ROUTES = new Set(['token', 'pushed_authorization_request', 'revocation'])
const SERVER_ROUTES = new Set([...AUTHENTICATED_ROUTES, 'userinfo'])

const BROWSER_COOKIE = 'tiwala-browser'
const BROWSER_COOKIE_FORM = /^[0-9A-Za-z]{43}$/

type WithKeys = { asymmetricKeyStore: { refresh(): Promise<void>; clear(): void } }

/** The library is loaded late: importing it takes as long as the rest of the start. */
export async function createProvider(
  service: Service,
  refusalsOf: (errors: typeof Errors) => Refusals,
): Promise<ProviderType> {
  const { Provider, errors, interactionPolicy } = await import('oidc-provider')
  const { config, keys, log } = service
  const { publicUrl } = config
  const refusals = refusalsOf(errors)
  const countRequest = (ctx: KoaContextWithOIDC) => {
    const { clientId, limits, is_slowed } = ctx.oidc.client as unknown as {
      clientId: string
      limits: PartnerRow['limits']
      is_slowed: boolean
    }
    return refusals.countRequest(ctx, { code: clientId, limits, is_slowed })
  }

  /** Every sign-in is a decision of the citizen, so a session alone never signs in. */
  const policy = interactionPolicy.base()
  const login = policy.get('login')!
  // The statement of the approval compares the assurance.
  for (const reason of ['essential_acr', 'essential_acrs']) login.checks.remove(reason)
  login.checks.add(
    new interactionPolicy.Check(
      'approval',
      'each sign-in needs the approval of the citizen',
      'login_required',
      (ctx) => !ctx.oidc.result?.login,
    ),
  )

  const toAllowedClient = (row: RegistrationRow | undefined, partnerCode: string) => {
    const { req, oidc } = Provider.ctx ?? {}
    let refused = refusedBy(row)
    if (req && SERVER_ROUTES.has(oidc?.route ?? '')) {
      const isAllowed = !row || isAllowedAddress(row, req as Request)
      if (!isAllowed)
        refused = { check: 'address', detail: `the request came from ${addressOf(req as Request)}` }
      else if (!refused) exchangeOf(req).passed.push('address')
    }
    if (req) findingsOf(req).partnerCode ??= partnerCode
    if (req && refused) findingsOf(req).cause = refused
    return refused ? undefined : toClient(row!)
  }

  const configuration: Configuration = {
    adapter: createAdapter(service, errors, toAllowedClient),
    jwks: {
      keys: keys
        .idTokenKeys()
        .map(({ purpose: _purpose, active_from: _from, ...jwk }) => ({ ...jwk, use: 'sig' })),
    },
    scopes: ['openid'],
    claims: { openid: ['sub', 'acr', 'amr', 'auth_time'], iss: null, sid: null, ...claimsByScope() },
    acrValues: config.acrValues,
    discovery: { ui_locales_supported: LANGUAGES },
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: async (_ctx, accountId, client) => pairwiseSub(keys, client.clientId, accountId),
    // The partner is the sector of a `sub`, not the host of an address (`toClient`).
    sectorIdentifierUriValidate: () => false,
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256', 'ES256'],
      clientAuthSigningAlgValues: ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'],
      dPoPSigningAlgValues: ['ES256', 'PS256', 'EdDSA', 'Ed25519'],
    },
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    assertJwtClientAuthClaimsAndHeader: async (ctx, { aud, exp }, { alg }, client) => {
      if (Number(exp) > Date.now() / 1_000 + MAX_ASSERTION_SECONDS + CLOCK_TOLERANCE_SECONDS)
        throw new errors.InvalidClientAuth('exp must be at most an hour from now, in seconds')
      // FAPI 2.0 Security Profile, sections 5.3.2.1 and 5.4.1.
      const isFapi = (client as unknown as { profile: string }).profile === 'fapi2'
      if (isFapi && (aud !== provider.issuer || alg === 'RS256'))
        throw new errors.InvalidClientAuth('fapi2: aud must be the issuer alone, and alg not RS256')
      findingsOf(ctx.req).isAuthenticated = true
      exchangeOf(ctx.req).passed.push('credentials', 'suspension')
      await countRequest(ctx)
    },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    clientBasedCORS: () => false,
    extraClientMetadata: { properties: OWN_METADATA },
    extraParams: {
      purpose: (_ctx, value, client) => {
        if (value !== undefined && !(client as unknown as { purposes: string[] }).purposes.includes(value))
          throw new errors.InvalidRequest('the purpose is not granted to this client')
      },
    },
    cookies: {
      keys: [derive(keys.current('sign-in'), 'oidc_cookies', publicUrl).toString('base64url')],
      names: {
        session: cookieNameOf(config, 'tiwala-session'),
        interaction: cookieNameOf(config, 'tiwala-sign-in', '__Secure-'),
        resume: cookieNameOf(config, 'tiwala-resume', '__Secure-'),
      },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    ttl: {
      AccessToken: TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Grant: GRANT_SECONDS,
      IdToken: TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: SESSION_SECONDS,
    },
    features: {
      devInteractions: { enabled: false },
      claimsParameter: {
        enabled: true,
        assertClaimsParameter: createAssertClaims(errors, config.acrValues),
      },
      dPoP: { enabled: true },
      fapi: {
        enabled: true,
        profile: (_ctx, client) =>
          (client as unknown as { profile: string } | undefined)?.profile === 'fapi2' ? '2.0' : undefined,
      },
      pushedAuthorizationRequests: { enabled: true },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => void (ctx.body = renderLogout(form, languageOfRequest(ctx))),
        postLogoutSuccessSource: (ctx) => void (ctx.body = renderLoggedOut(languageOfRequest(ctx))),
      },
      userinfo: { enabled: true },
    },
    interactions: {
      policy,
      url: ({ req, res }, { uid }) => {
        // Before the page, so that a browser that lost its response, or loads it twice, comes with the same cookie.
        if (!readBrowserCookie(req, config))
          (res as Response).cookie(
            cookieNameOf(config, BROWSER_COOKIE),
            mintCookie(),
            cookieOptions(config, 'lax'),
          )
        return pagePath(uid)
      },
    },
    findAccount: createFindAccount(service, errors, countRequest),
    fetch: createFetchKeys(config.callbackAddresses),
    renderError: (ctx, out: ErrorOut, error) => {
      ctx.type = 'html'
      ctx.body = renderEnded(languageOfRequest(ctx), {
        ...out,
        requestId: exchangeOf(ctx.req).requestId,
        isOfPartner: error.name !== 'SessionNotFound' && out.error !== 'server_error',
      })
    },
  }
  const provider = new Provider(`${publicUrl}${OIDC_PATH}`, configuration)
  // `oidcFront` sets the headers to the public URL.
  provider.proxy = true
  // What a partner's server presents names the cell, before the library's own random characters.
  for (const { prototype } of [
    provider.AuthorizationCode,
    provider.AccessToken,
    provider.Grant,
    provider.PushedAuthorizationRequest,
  ] as unknown as { prototype: { generateTokenId(): string } }[]) {
    const mint = prototype.generateTokenId
    prototype.generateTokenId = function () {
      return CELL + mint.call(this)
    }
  }
  const { Client } = provider
  const find = Client.find.bind(Client)
  Client.find = async (id: string) => {
    const client = await find(id)
    const isAuthenticating = AUTHENTICATED_ROUTES.has((Provider.ctx as KoaContextWithOIDC)?.oidc?.route)
    if (client?.['jwksUri'] && isAuthenticating) await refreshKeys(client as unknown as WithKeys)
    return client
  }
  /** The library reads the keys again only when none of them fits, so a key that the partner removed would work on. */
  async function refreshKeys(client: WithKeys): Promise<void> {
    try {
      await client.asymmetricKeyStore.refresh()
    } catch (cause) {
      // The library keeps the keys that it read before, and counts a refused response as fresh.
      client.asymmetricKeyStore.clear()
      throw new errors.InvalidClientAuth({ cause })
    }
  }
  Client.prototype.compareClientSecret = async function (actual: string) {
    const ctx = Provider.ctx as KoaContextWithOIDC
    const isValid = await isPartnerSecret(service, this.clientId, actual, ctx.req)
    if (isValid) await countRequest(ctx)
    return isValid
  }
  for (const method of ['redirectUriAllowed', 'postLogoutRedirectUriAllowed'] as const) {
    const isRegistered = Client.prototype[method]
    Client.prototype[method] = function (uri: string) {
      const { allows_loopback } = this as unknown as { allows_loopback?: boolean }
      return isRegistered.call(this, uri) || (allows_loopback === true && isLoopbackUri(uri))
    }
  }
  refusals.listen(provider)
  provider.use(async (ctx, next) => {
    await next().catch((error: unknown) => {
      // If a session cannot be stored, the library makes this response, and then tries once more to store it.
      if (ctx.status < 500) throw error
    })
    nameRequest(ctx)
    // An authorization request whose error the browser brings to the partner has another status by now.
    if (ctx.status === 503) ctx.set('Retry-After', String(RETRY_SECONDS))
  })
  provider.on('server_error', (ctx, error) => {
    log.error(describeError(error), 'a request of OpenID Connect failed; check the database if this repeats')
    if (!isDatabaseUnavailable(error)) return
    ctx.status = 503
    if (SERVER_ROUTES.has(ctx.oidc.route))
      ctx.body = { error: 'temporarily_unavailable', error_description: 'the service is not available now' }
  })
  return provider
}

/** The random value of a browser, which it has since its first sign-in. */
export const readBrowserCookie = (req: IncomingMessage, config: { publicUrl: string }) =>
  readCookie(req, cookieNameOf(config, BROWSER_COOKIE), BROWSER_COOKIE_FORM)

/** Adds the id of the request to an error that the browser brings to the partner, for the diagnosis. */
function nameRequest(ctx: Pick<KoaContextWithOIDC, 'req' | 'response' | 'set'>): void {
  const target = URL.parse(ctx.response.get('Location'))
  const parameters = target?.hash ? new URLSearchParams(target.hash.slice(1)) : target?.searchParams
  const description = parameters?.get('error_description')
  if (!target || !parameters || !description) return
  parameters.set('error_description', `${description} (${exchangeOf(ctx.req).requestId})`)
  if (target.hash) target.hash = parameters.toString()
  ctx.set('Location', target.href)
}

const languageOfRequest = ({ req, oidc }: KoaContextWithOIDC) =>
  languageOf(req as Request, oidc?.params?.['ui_locales'])

/** The `sub` of a citizen at a partner. */
export const pairwiseSub = (keys: KeyRing, partnerCode: string, subject: string) =>
  derive(keys.current('sign-in'), 'sub', `${partnerCode}\0${subject}`).toString('base64url')

const claimsByScope = (): Record<string, string[]> =>
  Object.fromEntries(Map.groupBy(ITEM_NAMES, (item) => ITEMS[item].scope))
