// The modules of the OpenID conformance suite for "FAPI 2.0 Security Profile Final": each by the name that follows
// `fapi2-security-profile-final-`, run here against the service, except those that need signed requests, refresh tokens,
// or an ecosystem of banks (Australia, Brazil, open banking).
// Variant: plain_fapi, private_key_jwt, DPoP, unsigned requests, OpenID Connect.
import { hash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { approve, arrive, REDIRECT_URI, register } from '../kit/relying-party.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile({})
const issuer = `${service.url}/oidc`
const TOKEN = `${issuer}/token`
const PAR = `${issuer}/request`
const USERINFO = `${issuer}/me`

type Key = { privateKey: CryptoKey; jwk: JWK; alg: string }
type Json = Record<string, unknown>
type Answer = { status: number; body: Json }

const nowSeconds = () => Math.floor(Date.now() / 1000)

async function mintKey(alg: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), alg, kid: alg }, alg }
}

async function createClient() {
  const partner = await service.partner()
  const [key, rsa] = [await mintKey('ES256'), await mintKey('RS256')]
  await register(service.operator, partner.code, {
    profile: 'fapi2',
    id_token_signed_response_alg: 'ES256',
    keys: [key.jwk, rsa.jwk] as never,
  })
  const { partner_secret: secret } = partner.credentials
  return { id: partner.code, secret, key, rsa, dpop: await mintKey('ES256') }
}

type Client = Awaited<ReturnType<typeof createClient>>

/** A client assertion. `undefined` takes a claim out. */
const assertionOf = ({ id, key }: Client, claims: Json = {}, signer: Key = key) =>
  new SignJWT(
    without({
      iss: id,
      sub: id,
      aud: issuer,
      jti: randomUUID(),
      iat: nowSeconds(),
      exp: nowSeconds() + 60,
      ...claims,
    }),
  )
    .setProtectedHeader({ alg: signer.alg, kid: signer.jwk.kid! })
    .sign(signer.privateKey)

type Proof = { claims?: Json; header?: Json; key?: Key; token?: string; method?: string }

const proofOf = (
  { dpop }: Client,
  url: string,
  { claims = {}, header = {}, key = dpop, token, method = 'POST' }: Proof = {},
) => {
  const { kid: _kid, alg: _alg, ...jwk } = key.jwk
  return new SignJWT(
    without({
      jti: randomUUID(),
      htm: method,
      htu: url,
      iat: nowSeconds(),
      ...(token !== undefined && { ath: hash('sha256', token, 'base64url') }),
      ...claims,
    }),
  )
    .setProtectedHeader({ alg: key.alg, typ: 'dpop+jwt', jwk, ...header })
    .sign(key.privateKey)
}

const without = (values: Json) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Sends a form with an assertion and a proof. `null` for either: without it. */
async function post(
  client: Client,
  url: string,
  form: Json,
  { assertion, proof }: { assertion?: string | null; proof?: string | null } = {},
): Promise<Answer> {
  const client_assertion = assertion === undefined ? await assertionOf(client) : assertion
  const DPoP = proof === undefined ? await proofOf(client, url) : proof
  const response = await fetch(url, {
    method: 'POST',
    headers: DPoP === null ? {} : { DPoP },
    body: new URLSearchParams(
      without({
        ...(client_assertion !== null && {
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion,
        }),
        client_id: client.id,
        ...form,
      }) as Record<string, string>,
    ),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const VERIFIER = 'v'.repeat(43)
const REQUEST = {
  response_type: 'code',
  redirect_uri: REDIRECT_URI,
  scope: 'openid profile email',
  state: 's',
  nonce: 'n',
  code_challenge: hash('sha256', VERIFIER, 'base64url'),
  code_challenge_method: 'S256',
}

const push = (client: Client, changes: Json = {}, options: Parameters<typeof post>[3] = {}) =>
  post(client, PAR, { ...REQUEST, ...changes }, { proof: null, ...options })

const authorizationUrl = (clientId: string, requestUri: unknown) =>
  new URL(
    `${issuer}/auth?${String(new URLSearchParams({ client_id: clientId, request_uri: String(requestUri) }))}`,
  )

async function signInWith(client: Client, requestUri: unknown, browser = createBrowser(service.url)) {
  const visit = await arrive(service.url, authorizationUrl(client.id, requestUri), browser)
  await approve(await service.citizen(), await visit.scan())
  return (await visit.goOn()).searchParams
}

/** A pushed request, and the parameters with which the browser came back. */
async function authorized(client: Client, changes: Json = {}, options: Parameters<typeof post>[3] = {}) {
  const pushed = await push(client, changes, options)
  expect(pushed.status).toBe(201)
  return signInWith(client, pushed.body['request_uri'])
}

const redeem = (
  client: Client,
  returned: URLSearchParams,
  changes: Json = {},
  options: Parameters<typeof post>[3] = {},
) =>
  post(
    client,
    TOKEN,
    {
      grant_type: 'authorization_code',
      code: returned.get('code'),
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      ...changes,
    },
    options,
  )

async function userinfo(client: Client, token: string, proof: Proof = {}, scheme = 'DPoP'): Promise<Answer> {
  const DPoP = await proofOf(client, USERINFO, { method: 'GET', token, ...proof })
  const response = await fetch(USERINFO, { headers: { Authorization: `${scheme} ${token}`, DPoP } })
  return { status: response.status, body: (await response.json()) as Json }
}

const idTokenOf = ({ body }: Answer) =>
  JSON.parse(Buffer.from(String(body['id_token']).split('.')[1]!, 'base64url').toString()) as Json

const succeeds =
  (changes: Json = {}, { parProof, tokenProof }: { parProof?: Proof | undefined; tokenProof?: Proof } = {}) =>
  async () => {
    const client = await createClient()
    const proof = parProof && { proof: await proofOf(client, PAR, parProof) }
    const returned = await authorized(client, changes, proof)
    const tokens = await redeem(client, returned, {}, { proof: await proofOf(client, TOKEN, tokenProof) })
    expect(tokens).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
    expect(returned.get('iss')).toBe(issuer)
    expect((await userinfo(client, String(tokens.body['access_token']))).status).toBe(200)
    return { client, returned, tokens }
  }

const parFails =
  (changes: Json, error: string | RegExp = 'invalid_request') =>
  async () => {
    const { status, body } = await push(await createClient(), changes)
    expect([status, body['error']]).toEqual([400, expect.stringMatching(error)])
  }

/** A pushed request or a code with an assertion that is refused. */
const parAssertionFails = (claims: (client: Client) => Json) => async () => {
  const client = await createClient()
  const { status, body } = await push(client, {}, { assertion: await assertionOf(client, claims(client)) })
  expect([status, body['error']]).toEqual([401, 'invalid_client'])
}

const tokenAssertionFails = (assertion: (client: Client) => Promise<string | null>) => async () => {
  const client = await createClient()
  const returned = await authorized(client)
  const { status, body } = await redeem(client, returned, {}, { assertion: await assertion(client) })
  expect(status).toBeOneOf([400, 401])
  expect(body['error']).toBeOneOf(['invalid_client', 'invalid_request'])
}

const tokenFails =
  (
    error: string,
    changes: Json = {},
    options: (client: Client) => Promise<Parameters<typeof post>[3]> = async () => ({}),
  ) =>
  async () => {
    const client = await createClient()
    const returned = await authorized(client)
    const { status, body } = await redeem(client, returned, changes, await options(client))
    expect([status, body['error']]).toEqual([400, error])
  }

const authorizationFails = async (
  client: Client,
  requestUri: unknown,
  browser = createBrowser(service.url),
) => {
  const page = await browser.open(authorizationUrl(client.id, requestUri))
  expect(page.url.searchParams.get('code')).toBeNull()
  expect(page.url.searchParams.get('error') ?? page.status).toBeOneOf([
    400,
    'invalid_request_uri',
    'invalid_request',
  ])
}

const MODULES: Record<string, () => Promise<unknown>> = {
  'discovery-end-point-verification': async () => {
    const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Json
    expect(metadata).toMatchObject({
      issuer,
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      pushed_authorization_request_endpoint: PAR,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256', 'PS256']),
    })
    expect(metadata['dpop_signing_alg_values_supported']).not.toContain('RS256')
    expect(metadata['response_types_supported']).toEqual(['code'])
  },
  'happy-flow': succeeds(),
  'user-rejects-authentication': async () => {
    const client = await createClient()
    const { body } = await push(client)
    const visit = await arrive(service.url, authorizationUrl(client.id, body['request_uri']))
    await visit.browser.open(`${visit.base}/cancel`, { method: 'POST' })
    const returned = (await visit.goOn()).searchParams
    expect([returned.get('error'), returned.get('state'), returned.get('iss')]).toEqual([
      'access_denied',
      's',
      issuer,
    ])
  },
  'ensure-other-scope-order-succeeds': succeeds({ scope: 'email profile openid' }),
  'ensure-authorization-request-without-state-success': async () => {
    const { returned } = await succeeds({ state: undefined })()
    expect(returned.has('state')).toBe(false)
  },
  'ensure-authorization-request-without-nonce-success': async () => {
    expect(idTokenOf((await succeeds({ nonce: undefined })()).tokens)).not.toHaveProperty('nonce')
  },
  'ensure-authorization-request-with-64-char-nonce-success': async () => {
    const nonce = 'n'.repeat(64)
    expect(idTokenOf((await succeeds({ nonce })()).tokens)['nonce']).toBe(nonce)
  },
  'ensure-authorization-request-with-long-nonce': async () => {
    const nonce = 'n'.repeat(384)
    expect(idTokenOf((await succeeds({ nonce })()).tokens)['nonce']).toBe(nonce)
  },
  'ensure-authorization-request-with-long-state': async () => {
    const state = 's'.repeat(384)
    expect((await succeeds({ state })()).returned.get('state')).toBe(state)
  },
  'attempt-reuse-authorization-code-after-one-second': async () => {
    const { client, returned, tokens } = await succeeds()()
    await service.advance(1)
    expect(await redeem(client, returned)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await userinfo(client, String(tokens.body['access_token']))).status).toBe(401)
  },
  'ensure-token-endpoint-fails-with-expired-auth-code': async () => {
    const client = await createClient()
    const returned = await authorized(client)
    await service.advance(61)
    expect(await redeem(client, returned)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  },
  'ensure-authorization-code-is-bound-to-client': async () => {
    const [client, other] = [await createClient(), await createClient()]
    const answer = await redeem(other, await authorized(client))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  },
  'ensure-client-id-in-token-endpoint': async () => {
    const [client, other] = [await createClient(), await createClient()]
    const answer = await redeem(client, await authorized(client), { client_id: other.id })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  },
  'ensure-client-assertion-in-token-endpoint': tokenAssertionFails(async () => null),
  'ensure-client-assertion-with-exp-is-5-minutes-in-past-fails': tokenAssertionFails((client) =>
    assertionOf(client, { iat: nowSeconds() - 360, exp: nowSeconds() - 300 }),
  ),
  'ensure-client-assertion-with-no-sub-fails': tokenAssertionFails((client) =>
    assertionOf(client, { sub: undefined }),
  ),
  'ensure-client-assertion-with-wrong-aud-fails': tokenAssertionFails((client) =>
    assertionOf(client, { aud: 'https://other.example/oidc' }),
  ),
  'ensure-signed-client-assertion-with-RS256-fails': tokenAssertionFails((client) =>
    assertionOf(client, {}, client.rsa),
  ),
  'par-test-array-as-audience-fails': parAssertionFails(() => ({ aud: [issuer, 'https://other.example'] })),
  'par-test-par-endpoint-url-as-audience-fails': parAssertionFails(() => ({ aud: PAR })),
  'par-test-token-endpoint-url-as-audience-fails': parAssertionFails(() => ({ aud: TOKEN })),
  'par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted': async () => {
    const client = await createClient()
    const soon = nowSeconds() + 8
    const assertion = await assertionOf(client, { iat: soon, nbf: soon, exp: soon + 60 })
    expect((await push(client, {}, { assertion })).status).toBe(201)
  },
  'par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails': parAssertionFails(() => ({
    iat: nowSeconds() + 70,
    nbf: nowSeconds() + 70,
    exp: nowSeconds() + 130,
  })),
  'ensure-pkce-code-verifier-required': tokenFails('invalid_grant', { code_verifier: undefined }),
  'incorrect-pkce-code-verifier-rejected': tokenFails('invalid_grant', { code_verifier: 'w'.repeat(43) }),
  'par-ensure-pkce-required': parFails({ code_challenge: undefined, code_challenge_method: undefined }),
  'par-plain-pkce-rejected': parFails({ code_challenge: VERIFIER, code_challenge_method: 'plain' }),
  'ensure-redirect-uri-in-authorization-request': parFails({ redirect_uri: undefined }),
  'ensure-registered-redirect-uri': parFails({ redirect_uri: 'https://other.example/callback' }),
  'plain-fapi-tolerate-unregistered-redirect-uri': parFails({ redirect_uri: `${REDIRECT_URI}/other` }),
  'ensure-response-type-code-idtoken-fails': parFails(
    { response_type: 'code id_token' },
    /unsupported_response_type/,
  ),
  'ensure-response-type-token-fails': parFails({ response_type: 'token' }, /unsupported_response_type/),
  'ensure-unsigned-authorization-request-without-using-par-fails': async () => {
    const client = await createClient()
    const url = new URL(`${issuer}/auth?${String(new URLSearchParams({ client_id: client.id, ...REQUEST }))}`)
    const page = await createBrowser(service.url).open(url)
    expect(page.url.searchParams.get('error')).toBe('invalid_request')
  },
  'par-attempt-invalid-http-method': async () => {
    for (const method of ['GET', 'PUT']) expect((await fetch(PAR, { method })).status).toBeOneOf([404, 405])
  },
  'par-attempt-reuse-request_uri': async () => {
    const client = await createClient()
    const { body } = await push(client)
    expect((await signInWith(client, body['request_uri'])).get('code')).toBeTruthy()
    await authorizationFails(client, body['request_uri'])
  },
  'par-ensure-reused-request-uri-prior-to-auth-completion-succeeds': async () => {
    const client = await createClient()
    const { body } = await push(client)
    const browser = createBrowser(service.url)
    await arrive(service.url, authorizationUrl(client.id, body['request_uri']), browser)
    expect((await signInWith(client, body['request_uri'], browser)).get('code')).toBeTruthy()
  },
  'par-attempt-to-use-expired-request_uri': async () => {
    const client = await createClient()
    const { body } = await push(client)
    expect(body['expires_in']).toBeLessThan(600)
    await service.advance(Number(body['expires_in']) + 1)
    await authorizationFails(client, body['request_uri'])
  },
  'par-attempt-to-use-request_uri-for-different-client': async () => {
    const [client, other] = [await createClient(), await createClient()]
    await authorizationFails(other, (await push(client)).body['request_uri'])
  },
  'par-authorization-request-containing-request_uri-form-param': parFails(
    { request_uri: 'urn:ietf:params:oauth:request_uri:random' },
    /^(invalid_request|request_uri_not_supported)$/,
  ),
  'par-without-duplicate-parameters': succeeds(),
  'test-essential-acr-sca-claim': async () => {
    // Without a known `acr` in its token, the citizen reaches no minimum, so the browser brings an error.
    const client = await createClient()
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'high' } } })
    const { body } = await push(client, { claims })
    const visit = await arrive(service.url, authorizationUrl(client.id, body['request_uri']))
    await expect(approve(await service.citizen(), await visit.scan())).rejects.toMatchObject({ status: 403 })
    await visit.browser.open(`${visit.base}/cancel`, { method: 'POST' })
    expect((await visit.goOn()).searchParams.get('error')).toBe('unmet_authentication_requirements')
  },
  'test-claims-parameter-identity-claims': async () => {
    const claims = JSON.stringify({
      id_token: { email: null, unknown: { essential: true } },
      userinfo: { email: null },
    })
    const { client, tokens } = await succeeds({ scope: 'openid', claims })()
    expect(idTokenOf(tokens)).toMatchObject({ email: expect.any(String) })
    expect((await userinfo(client, String(tokens.body['access_token']))).body).toHaveProperty('email')
  },
  'ensure-holder-of-key-required': tokenFails('invalid_grant', {}, async () => ({ proof: null })),
  'access-token-type-header-case-sensitivity': async () => {
    const { client, tokens } = await succeeds()()
    for (const scheme of ['dpop', 'DPOP', 'DPoP'])
      expect((await userinfo(client, String(tokens.body['access_token']), {}, scheme)).status).toBe(200)
  },
  'check-dpop-proof-nbf-exp': succeeds(
    {},
    { tokenProof: { claims: { nbf: nowSeconds() - 10, exp: nowSeconds() + 600 } } },
  ),
  'ensure-dpopproof-with-iat-10seconds-after-succeeds': async () =>
    succeeds(
      {},
      {
        parProof: { claims: { iat: nowSeconds() + 10 } },
        tokenProof: { claims: { iat: nowSeconds() + 10 } },
      },
    )(),
  'ensure-dpopproof-with-iat-10seconds-before-succeeds': async () =>
    succeeds(
      {},
      {
        parProof: { claims: { iat: nowSeconds() - 10 } },
        tokenProof: { claims: { iat: nowSeconds() - 10 } },
      },
    )(),
  'ensure-dpopproof-at-par-endpoint-binding-success': succeeds({}, { parProof: {} }),
  'ensure-dpop-auth-code-binding-success': async () => {
    const client = await createClient()
    const dpop_jkt = await calculateJwkThumbprint(client.dpop.jwk)
    const returned = await authorized(client, { dpop_jkt })
    expect((await redeem(client, returned)).status).toBe(200)
  },
  'ensure-mismatched-dpop-jkt-fails': async () => {
    const client = await createClient()
    const dpop_jkt = await calculateJwkThumbprint((await mintKey('ES256')).jwk)
    const { status } = await push(client, { dpop_jkt }, { proof: await proofOf(client, PAR) })
    expect(status).toBe(400)
  },
  'ensure-token-endpoint-fails-with-mismatched-dpop-jkt': async () => {
    const client = await createClient()
    const dpop_jkt = await calculateJwkThumbprint((await mintKey('ES256')).jwk)
    const answer = await redeem(client, await authorized(client, { dpop_jkt }))
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  },
  'ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt': async () => {
    const client = await createClient()
    const returned = await authorized(client, {}, { proof: await proofOf(client, PAR) })
    const proof = await proofOf(client, TOKEN, { key: await mintKey('ES256') })
    expect(await redeem(client, returned, {}, { proof })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  },
  'dpop-negative-tests': async () => {
    const { client, tokens } = await succeeds()()
    const token = String(tokens.body['access_token'])
    const other = await mintKey('ES256')
    const rsa = await mintKey('RS256')
    const jti = randomUUID()
    expect((await userinfo(client, token, { claims: { jti } })).status).toBe(200)
    const wrong: Proof[] = [
      { claims: { jti } },
      { claims: { jti: undefined } },
      { claims: { htm: 'POST' } },
      { claims: { htm: undefined } },
      { claims: { htu: TOKEN } },
      { claims: { htu: undefined } },
      { claims: { iat: undefined } },
      { claims: { iat: nowSeconds() - 3_600 } },
      { claims: { iat: nowSeconds() + 3_600 } },
      { claims: { ath: undefined } },
      { claims: { ath: hash('sha256', 'other', 'base64url') } },
      { header: { typ: 'jwt' } },
      { header: { jwk: other.jwk } },
      { key: other },
      { key: rsa },
    ]
    for (const proof of wrong)
      expect([(await userinfo(client, token, proof)).status, proof]).toEqual([
        expect.toBeOneOf([400, 401]),
        proof,
      ])
    const asBearer = await fetch(USERINFO, { headers: { Authorization: `Bearer ${token}` } })
    expect(asBearer.status).toBe(401)
    expect((await userinfo(client, token)).status).toBe(200)
  },
}

describe('FAPI 2.0 Security Profile Final', () => {
  test.each(Object.entries(MODULES))('fapi2-security-profile-final-%s', async (_name, run) => {
    await expect(run()).resolves.not.toBeInstanceOf(Error)
  })
})

describe('attacks beyond the modules', () => {
  const parts = (...values: Json[]) =>
    values.map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')).join('.')
  const claimsOf = ({ id }: Client, claims: Json = {}) => ({
    iss: id,
    sub: id,
    aud: issuer,
    jti: randomUUID(),
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
    ...claims,
  })
  const signedWith = (client: Client, key: CryptoKey | Uint8Array, header: Json) =>
    new SignJWT(claimsOf(client)).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)

  const ASSERTIONS: [what: string, (client: Client, attacker: Client) => Promise<string> | string][] = [
    ['of another partner', (client, attacker) => assertionOf(attacker, { iss: client.id, sub: client.id })],
    ['that lives longer than an hour', (client) => assertionOf(client, { exp: nowSeconds() + 3_700 })],
    ['that lives for ever', (client) => assertionOf(client, { exp: 1e13 })],
    ['for another partner', (client, attacker) => assertionOf(client, { sub: attacker.id })],
    ['from another partner', (client, attacker) => assertionOf(client, { iss: attacker.id })],
    ['without a signature', (client) => `${parts({ alg: 'none' }, claimsOf(client))}.`],
    [
      'with the public key as a secret',
      (client) =>
        signedWith(client, Buffer.from(JSON.stringify(client.key.jwk).padEnd(32)), { alg: 'HS256' }),
    ],
    ['with its own key inside', (client, { key }) => signedWith(client, key.privateKey, { jwk: key.jwk })],
    [
      'with an address of other keys',
      (client, { key }) => signedWith(client, key.privateKey, { jku: 'https://evil.example/jwks' }),
    ],
  ]

  test.each(ASSERTIONS)('an assertion %s is refused', async (_what, assertionBy) => {
    const [client, attacker] = [await createClient(), await createClient()]
    const { status, body } = await push(client, {}, { assertion: await assertionBy(client, attacker) })
    expect([status, body['error']]).toBeOneOf([
      [401, 'invalid_client'],
      // The client_id beside the assertion is not its subject.
      [400, 'invalid_request'],
    ])
  })

  test('invalid_client: an assertion that was used before', async () => {
    const client = await createClient()
    const assertion = await assertionOf(client)
    expect((await push(client, {}, { assertion })).status).toBe(201)
    expect((await push(client, {}, { assertion })).body['error']).toBe('invalid_client')
  })

  test('invalid_client: the secret of a partner that has keys', async () => {
    const client = await createClient()
    const { body } = await push(client, { client_secret: client.secret }, { assertion: null })
    expect(body['error']).toBe('invalid_client')
  })

  test('a proof that was used before is refused, also for a pushed request and a code', async () => {
    const client = await createClient()
    const proof = await proofOf(client, PAR)
    const returned = await authorized(client, {}, { proof })
    expect((await push(client, {}, { proof })).status).toBe(400)
    const used = await proofOf(client, TOKEN)
    expect((await redeem(client, returned, {}, { proof: used })).status).toBe(200)
    const second = await authorized(client)
    expect((await redeem(client, second, {}, { proof: used })).status).toBe(400)
  })

  test('a proof for another address or method, or without a signature, redeems no code', async () => {
    const client = await createClient()
    const { kid: _kid, alg: _alg, ...jwk } = client.dpop.jwk
    const claims = { jti: randomUUID(), htm: 'POST', htu: TOKEN, iat: nowSeconds() }
    const privateJwk = await exportJWK(client.dpop.privateKey)
    for (const proof of [
      await proofOf(client, TOKEN, { claims: { htu: 'https://evil.example/oidc/token' } }),
      await proofOf(client, TOKEN, { claims: { htu: `${TOKEN}/` } }),
      await proofOf(client, TOKEN, { claims: { htu: PAR } }),
      await proofOf(client, TOKEN, { method: 'GET' }),
      await proofOf(client, TOKEN, { header: { jwk: privateJwk } }),
      `${parts({ alg: 'none', typ: 'dpop+jwt', jwk }, claims)}.`,
    ]) {
      const { status, body } = await redeem(client, await authorized(client), {}, { proof })
      expect([status, body['access_token']]).toEqual([400, undefined])
    }
  })
})
