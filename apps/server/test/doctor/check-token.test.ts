// `tiwala doctor --token`: one token, judged by the verifier of the service, with the reason in words.
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { diagnose } from '../../src/doctor/doctor.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { keys, startProvider } from '../kit/key-set-verifier.ts'
import { LIVE } from '../kit/live-settings.ts'

const { privateKey, publicKey } = await generateKeyPair('ES256')
const provider = await startProvider(keys({ ...(await exportJWK(publicKey)), kid: 'k1' }))
afterAll(() => provider[Symbol.asyncDispose]())

const [operators, citizens] = ['http://127.0.0.1/operators', 'http://127.0.0.1/citizens']
const SETTINGS = {
  ...LIVE,
  TIWALA_DATABASE_WITHOUT_TLS: 'localhost',
  TIWALA_OPERATOR_ISSUER: operators,
  TIWALA_OPERATOR_JWKS_URL: provider.url,
  TIWALA_CITIZEN_ISSUER: citizens,
  TIWALA_CITIZEN_JWKS_URL: provider.url,
}
const now = Math.floor(Date.now() / 1_000)
const operator = {
  iss: operators,
  aud: 'tiwala-operator',
  sub: 'ada',
  iat: now,
  exp: now + 300,
  scope: 'openid audit:read',
}
const citizen = { ...operator, iss: citizens, aud: 'tiwala-citizen', sub: 'CTZ-0000000001', acr: 'high' }

const sign = (claims: JWTPayload, header: object = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header }).sign(privateKey)

async function findingsOf(token: string, settings: Record<string, string> = SETTINGS) {
  const found: string[] = []
  for await (const { status, about, text } of diagnose(settings, [], token))
    if (about !== 'settings') found.push(`${status} ${about}: ${text}`)
  return found
}

test('an accepted token: what it gives', async () => {
  expect(await findingsOf(await sign(operator))).toEqual([
    expect.stringMatching(
      /^ok operator token: is accepted until 2.+; the actor .+ is ada; scopes: audit:read$/,
    ),
  ])
  expect(await findingsOf(await sign(citizen))).toEqual([
    expect.stringMatching(/^ok citizen token: is accepted until 2.+ uniqid CTZ-0000000001; acr high$/),
  ])
  expect(await findingsOf(await sign({ ...citizen, acr: 'none' }))).toEqual([
    expect.stringMatching(/^note citizen token: is accepted .+ its acr is none of TIWALA_ACR_VALUES/),
  ])
})

test('a token that the service accepts and that allows nothing', async () => {
  expect(await findingsOf(await sign({ ...operator, scope: 'openid' }))).toEqual([
    expect.stringMatching(
      /^problem operator token: is accepted, and has none of .+ have: openid\. The client must ask/,
    ),
  ])
  expect(await findingsOf(await sign({ ...citizen, sub: 'a citizen' }))).toEqual([
    expect.stringMatching(/^problem citizen token: has the sub a citizen, which can be no uniqid/),
  ])
})

test("the token of a partner's person, with and without a verified address", async () => {
  const staff = 'http://127.0.0.1/staff'
  const settings = { ...SETTINGS, TIWALA_STAFF_ISSUER: staff, TIWALA_STAFF_JWKS_URL: provider.url }
  const member = { ...operator, iss: staff, aud: 'tiwala-workbench-api', email: 'ana@hotel.example' }
  expect(await findingsOf(await sign({ ...member, email_verified: true }), settings)).toEqual([
    expect.stringMatching(/^ok staff token: is accepted until 2.+ for the member with the sub ada$/),
  ])
  expect(await findingsOf(await sign(member), settings)).toEqual([
    expect.stringMatching(/^note staff token: is accepted .+ no verified email address \(email\)/),
  ])
  expect(await findingsOf(await sign({ ...member, aud: 'tiwala-workbench' }), settings)).toEqual([
    expect.stringContaining('TIWALA_STAFF_AUDIENCE is "tiwala-workbench-api"'),
  ])
})

test('a token of another issuer, with a key of that issuer: the issuer is the reason', async () => {
  expect(
    await findingsOf(await sign({ ...operator, iss: 'https://other.example' }, { kid: 'other' })),
  ).toEqual([
    expect.stringContaining('Its iss is "https://other.example", and TIWALA_OPERATOR_ISSUER is'),
    expect.stringContaining('TIWALA_CITIZEN_ISSUER is'),
  ])
})

test.each<[why: string, claims: object, header: object, expected: RegExp]>([
  [
    'audience',
    { aud: 'account' },
    {},
    /Its aud is "account", and TIWALA_OPERATOR_AUDIENCE is "tiwala-operator"/,
  ],
  ['life', { exp: now + 25 * 3_600 }, {}, /exp at most 24 hours after iat/],
  ['no iat', { iat: undefined }, {}, /iat and exp are needed.+Its iat is missing/],
  ['expired', { iat: now - 600, exp: now - 300 }, {}, /It has expired\. Its iat is 2/],
  ['sub', { sub: undefined }, {}, /Its sub is missing/],
  ['typ', {}, { typ: 'logout+jwt' }, /the typ "logout\+jwt"/],
  ['key', {}, { kid: 'other' }, /has no key with the kid "other"/],
])('a refused token: %s', async (_why, claims, header, expected) => {
  const found = await findingsOf(await sign({ ...operator, ...claims }, header))
  expect(found).toEqual([expect.stringMatching(/^problem operator token: is refused\. /)])
  expect(found[0]).toMatch(expected)
})

test('a refused token: issuer, signature, algorithm, unreachable keys, no JWT', async () => {
  expect(await findingsOf(await sign({ ...operator, iss: `${operators}/` }))).toEqual([
    expect.stringMatching(
      /^problem operator token: .+Its iss is .+operators\/", and TIWALA_OPERATOR_ISSUER is/,
    ),
    expect.stringMatching(/^problem citizen token: .+TIWALA_CITIZEN_ISSUER/),
  ])
  const [header, , signature] = (await sign(operator)).split('.')
  const [, payload] = (await sign({ ...operator, sub: 'eve' })).split('.')
  expect(await findingsOf(`${header}.${payload}.${signature}`)).toEqual([
    expect.stringContaining('Its signature is not by the key "k1"'),
  ])
  const byText = await new SignJWT(operator)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('a secret of 32 bytes at the least'))
  expect(await findingsOf(byText)).toEqual([
    expect.stringContaining('Its alg is "HS256", and the service accepts Ed25519'),
  ])
  const TIWALA_OPERATOR_JWKS_URL = `http://127.0.0.1:${await freePort()}/`
  expect(await findingsOf(await sign(operator), { ...SETTINGS, TIWALA_OPERATOR_JWKS_URL })).toEqual([
    expect.stringMatching(/The keys at http.+ cannot be fetched/),
  ])
  expect(await findingsOf('opaque')).toEqual([expect.stringMatching(/^problem token: is no signed JWT/)])
  expect(await findingsOf(await sign(operator), { PORT: '8080' })).toEqual([
    expect.stringContaining('TIWALA_OPERATOR_JWKS_URL is not set'),
    expect.stringContaining('TIWALA_CITIZEN_JWKS_URL is not set'),
  ])
})
