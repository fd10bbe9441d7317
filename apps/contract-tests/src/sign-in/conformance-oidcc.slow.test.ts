// The modules of the OpenID conformance suite for "Basic OP" and "Config OP": each by its name, run here against the
// service, or listed with the reason why not. Variant: response_type=code, static client.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { describe, expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { approve, arrive, REDIRECT_URI, registration, relyingParty } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})

const ALL = {
  purposes: [
    {
      ...registration().purposes[0]!,
      items: ['name', 'given_name', 'family_name', 'gender', 'birthdate', 'email', 'phone_number', 'address'],
      optional_items: [],
    },
  ],
} as Partial<ReturnType<typeof registration>>

const partyOf = (authentication?: openid.ClientAuth) =>
  relyingParty(service, { changes: ALL, ...(authentication && { authentication }) })

type Party = Awaited<ReturnType<typeof partyOf>>

/** A whole sign-in with these parameters of the authorization request. An empty one is left out. */
async function signIn(party: Party, parameters: Record<string, string> = {}) {
  const { url, checks } = await party.begin(parameters)
  for (const [name, value] of Object.entries(parameters)) if (!value) url.searchParams.delete(name)
  const [visit, citizen] = [await arrive(service.url, url), await service.citizen()]
  await approve(citizen, await visit.scan())
  const callback = await visit.goOn()
  const expectedNonce = parameters['nonce'] === '' ? undefined : checks.expectedNonce
  const redeem = () =>
    openid.authorizationCodeGrant(party.config, callback, { ...checks, expectedNonce: expectedNonce! })
  return { citizen, callback, visit, checks, redeem }
}

const claimsOf = async (parameters: Record<string, string> = {}, authentication?: openid.ClientAuth) => {
  const party = await partyOf(authentication)
  const { redeem, citizen } = await signIn(party, parameters)
  const tokens = await redeem()
  const claims = tokens.claims()!
  const userinfo = await openid.fetchUserInfo(party.config, tokens.access_token, claims.sub)
  return { party, tokens, claims, userinfo, profile: citizen.profile }
}

/** What the authorization endpoint responds to a request that it refuses. */
async function refusedWith(parameters: Record<string, string>) {
  const { begin } = await partyOf()
  const { url } = await begin(parameters)
  for (const [name, value] of Object.entries(parameters)) if (!value) url.searchParams.delete(name)
  const page = await createBrowser(service.url).open(url)
  const answer = new URLSearchParams(page.url.search || page.url.hash.slice(1))
  return { page, error: answer.get('error'), code: answer.get('code') }
}

const userinfoBy = async (init: (token: string) => RequestInit) => {
  const { tokens, claims } = await claimsOf()
  const response = await fetch(`${service.url}/oidc/me`, init(tokens.access_token))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ sub: claims.sub })
}

const succeedsWith = (parameters: Record<string, string>) => async () => {
  expect((await claimsOf(parameters)).claims.sub).toBeTruthy()
}

const scopes =
  (scope: string, ...names: string[]) =>
  async () => {
    const { userinfo } = await claimsOf({ scope })
    expect(Object.keys(userinfo).toSorted()).toEqual(['sub', ...names].toSorted())
  }

const PROFILE = ['name', 'given_name', 'family_name', 'gender', 'birthdate']
const EMAIL_ADDRESS_PHONE = ['email', 'address', 'phone_number']

const server = (authentication?: openid.ClientAuth) => async () => {
  const { tokens, claims, party } = await claimsOf({}, authentication)
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: expect.any(Number) })
  expect(claims).toMatchObject({ iss: `${service.url}/oidc`, aud: party.partner.code })
  const keys = createRemoteJWKSet(new URL(party.config.serverMetadata().jwks_uri!))
  const { protectedHeader } = await jwtVerify(tokens.id_token!, keys)
  expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
}

/** Two sign-ins of a citizen. The second request has these parameters, which can hold the first ID token. */
const twice = async (parametersOf: (idToken: string) => Record<string, string>) => {
  const party = await partyOf()
  const browser = createBrowser(service.url)
  const citizen = await service.citizen()
  const { url, checks } = await party.begin()
  const first = await arrive(service.url, url, browser)
  await approve(citizen, await first.scan())
  const tokens = await openid.authorizationCodeGrant(party.config, await first.goOn(), checks)
  return browser.open((await party.begin(parametersOf(tokens.id_token!))).url)
}

const BASIC: Record<string, () => Promise<unknown>> = {
  'oidcc-server': server(),
  'oidcc-server-client-secret-post': server(openid.ClientSecretPost()),
  'oidcc-response-type-missing': async () => {
    expect(await refusedWith({ response_type: '' })).toMatchObject({ error: 'invalid_request', code: null })
  },
  'oidcc-userinfo-get': () => userinfoBy((token) => ({ headers: { Authorization: `Bearer ${token}` } })),
  'oidcc-userinfo-post-header': () =>
    userinfoBy((token) => ({ method: 'POST', headers: { Authorization: `Bearer ${token}` } })),
  'oidcc-userinfo-post-body': () =>
    userinfoBy((access_token) => ({ method: 'POST', body: new URLSearchParams({ access_token }) })),
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async () => {
    const { claims } = await claimsOf({ nonce: '' })
    expect(claims).not.toHaveProperty('nonce')
  },
  'oidcc-scope-profile': scopes('openid profile', ...PROFILE),
  'oidcc-scope-email': scopes('openid email', 'email'),
  'oidcc-scope-address': scopes('openid address', 'address'),
  'oidcc-scope-phone': scopes('openid phone', 'phone_number'),
  'oidcc-scope-all': scopes('openid profile email address phone', ...PROFILE, ...EMAIL_ADDRESS_PHONE),
  'oidcc-alternate-happy-flow': async () => {
    const party = await partyOf()
    const { url, checks } = await party.begin({ scope: 'phone email profile openid' })
    url.search = new URLSearchParams([...url.searchParams].toReversed()).toString()
    const [visit, citizen] = [await arrive(service.url, url), await service.citizen()]
    await approve(citizen, await visit.scan())
    const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
    expect(tokens.claims()).toMatchObject({ email: citizen.profile.email })
  },
  'oidcc-display-page': succeedsWith({ display: 'page' }),
  'oidcc-display-popup': succeedsWith({ display: 'popup' }),
  'oidcc-prompt-login': async () => {
    // That an old authentication is refused is in `assurance.slow.test.ts`.
    expect((await twice(() => ({ prompt: 'login' }))).url.pathname).toMatch(/^\/oidc\/sign-in\//)
  },
  'oidcc-prompt-none-not-logged-in': async () => {
    expect(await refusedWith({ prompt: 'none' })).toMatchObject({ error: 'login_required', code: null })
  },
  'oidcc-max-age-1': async () => {
    expect((await twice(() => ({ max_age: '1' }))).url.pathname).toMatch(/^\/oidc\/sign-in\//)
  },
  'oidcc-max-age-10000': async () => {
    // The citizen approves again, with the authentication of the first time.
    const [party, citizen] = [await partyOf(), await service.citizen()]
    const claims = []
    for (const max_age of ['15000', '10000']) {
      const { url, checks } = await party.begin({ max_age })
      const visit = await arrive(service.url, url)
      await approve(citizen, await visit.scan())
      const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
      const { sub, auth_time } = tokens.claims()!
      claims.push({ sub, auth_time })
    }
    expect(claims[0]!.auth_time).toBeTypeOf('number')
    expect(claims[1]).toEqual(claims[0])
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeedsWith({ extra: 'foobar' }),
  'oidcc-login-hint': succeedsWith({ login_hint: 'buffy@partner.example' }),
  'oidcc-ui-locales': succeedsWith({ ui_locales: 'se' }),
  'oidcc-claims-locales': succeedsWith({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': async () => {
    // A value that is not known is no minimum. That a known one is demanded is in `assurance.slow.test.ts`.
    await succeedsWith({ acr_values: 'urn:unknown' })()
  },
  'oidcc-codereuse': async () => {
    const { redeem } = await signIn(await partyOf())
    await redeem()
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant' })
  },
  'oidcc-codereuse-30seconds': async () => {
    const party = await partyOf()
    const { redeem } = await signIn(party)
    const { access_token } = await redeem()
    await service.advance(30)
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant' })
    const userinfo = openid.fetchUserInfo(party.config, access_token, openid.skipSubjectCheck)
    await expect(userinfo).rejects.toMatchObject({ status: 401 })
  },
  'oidcc-ensure-registered-redirect-uri': async () => {
    const { page, code } = await refusedWith({ redirect_uri: 'https://other.example/callback' })
    expect([page.status, page.url.origin, code]).toEqual([400, service.url, null])
  },
  'oidcc-ensure-post-request-succeeds': async () => {
    const party = await partyOf()
    const { url, checks } = await party.begin()
    const body = new URLSearchParams(url.searchParams)
    const browser = createBrowser(service.url)
    const page = await browser.open(`${url.origin}${url.pathname}`, { method: 'POST', body })
    const visit = await arrive(service.url, page.url, browser)
    await approve(await service.citizen(), await visit.scan())
    const tokens = await openid.authorizationCodeGrant(party.config, await visit.goOn(), checks)
    expect(tokens.id_token).toBeTruthy()
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': async () => {
    const request_uri = 'https://partner.example/request.jwt'
    expect((await refusedWith({ request_uri })).error).toBe('request_uri_not_supported')
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async () => {
    expect((await refusedWith({ request: unsignedRequest({}) })).error).toBe('request_not_supported')
  },
  'oidcc-ensure-request-object-with-redirect-uri': async () => {
    const request = unsignedRequest({ redirect_uri: 'https://other.example/callback' })
    const { page, code } = await refusedWith({ request })
    expect([page.url.href.startsWith('https://other.example'), code]).toEqual([false, null])
  },
  'oidcc-claims-essential': async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const { userinfo, profile } = await claimsOf({ scope: 'openid', claims })
    expect(userinfo['name']).toContain(profile.first_name)
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': succeedsWith({}),
}

const unsignedRequest = (claims: object) =>
  [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  '.'

/** The suite skips these for a static client, and without refresh tokens. */
const SKIPPED = ['oidcc-idtoken-signature', 'oidcc-idtoken-unsigned', 'oidcc-refresh-token']
/**
 * The service deviates from these by decision: each sign-in needs the approval of the citizen, so `prompt=none` is
 * `login_required`, which a partner must expect of every provider. The tests "a session never signs in silently" show
 * it.
 */
const DEVIATES = ['oidcc-prompt-none-logged-in', 'oidcc-id-token-hint']

describe('Basic OP', () => {
  test.each(Object.entries(BASIC))('%s', async (_name, run) => {
    await expect(run()).resolves.not.toBeInstanceOf(Error)
  })
  test('all 38 modules of the plan are here', () => {
    expect(new Set([...Object.keys(BASIC), ...SKIPPED, ...DEVIATES])).toHaveProperty('size', 38)
  })
  test('413: a form that is too long for an authorization request', async () => {
    const body = new URLSearchParams({ state: 'x'.repeat(7_000) })
    const response = await fetch(`${service.url}/oidc/auth`, { method: 'POST', body, redirect: 'manual' })
    expect(response.status).toBe(413)
  })
  test.each([
    ['alone', () => ({ prompt: 'none' })],
    ['with an id_token_hint', (id_token_hint: string) => ({ prompt: 'none', id_token_hint })],
  ])('a session never signs in silently: prompt=none %s is login_required', async (_how, parametersOf) => {
    expect((await twice(parametersOf)).url.searchParams.get('error')).toBe('login_required')
  })
})

describe('Config OP', () => {
  test('oidcc-discovery-endpoint-verification', async () => {
    const issuer = `${service.url}/oidc`
    const response = await fetch(`${issuer}/.well-known/openid-configuration`)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const metadata = (await response.json()) as Record<string, unknown>
    expect(metadata).toMatchObject({
      issuer,
      scopes_supported: expect.arrayContaining(['openid']),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      claims_supported: expect.arrayContaining(['sub', 'acr', 'amr', 'auth_time', 'name', 'email']),
      claims_parameter_supported: true,
      request_uri_parameter_supported: false,
    })
    for (const name of ['authorization', 'token', 'userinfo', 'end_session', 'pushed_authorization_request'])
      expect(metadata[`${name}_endpoint`]).toSatisfy((url: string) => url.startsWith(`${issuer}/`))
    const keys = (await (await fetch(String(metadata['jwks_uri']))).json()) as {
      keys: Record<string, string>[]
    }
    expect(new Set(keys.keys.map(({ alg }) => alg))).toEqual(new Set(['ES256', 'RS256']))
    for (const key of keys.keys) {
      expect(key).toMatchObject({ kid: expect.any(String), use: 'sig' })
      expect(key).not.toHaveProperty('d')
    }
    expect(REDIRECT_URI).not.toContain(issuer)
  })
})
