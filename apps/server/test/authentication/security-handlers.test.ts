// The order of the checks, and what a refusal changes, without a database.
import type { Request } from 'express'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Identities } from '../../src/authentication/identity-tokens.ts'
import { createSecurityHandlers } from '../../src/authentication/security-handlers.ts'
import { Failure } from '../../src/failure.ts'
import type { AuthenticatedCitizen, Service } from '../../src/operation.ts'
import { secretPrefix } from '../../src/partners/credentials/credential.ts'
import { createKeyRing, type KeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { mintQrValue, mintSecret } from '../../src/secrets/tokens.ts'
import { mintAccessToken } from '../../src/sso/access-token.ts'

const HOST = 'tiwala.example'
const OWN_PAGE = `https://${HOST}`
const WRONG = { 'x-secret-code': 'code', 'x-secret-token': 'wrong' }

/** Authenticates a partner by these headers; returns the code of the refusal. */
async function refusalOf(environment: 'sandbox' | 'live', headers: Record<string, string>) {
  const hmacs = vi.fn<KeyRing['hmacs']>(() => {
    throw new Failure('unavailable', { retryAfterSeconds: 1 })
  })
  const { securityHandlers } = createSecurityHandlers(
    {
      config: { environment },
      keys: { hmacs },
      partnerCache: { get: () => undefined },
    } as unknown as Service,
    {} as Identities,
    () => {},
  )
  const sent: Record<string, string> = { host: HOST, ...headers }
  const openapi = { schema: { operationId: 'profileByQr' } }
  const slot = { authenticateAs: (_name: string, work: () => Promise<unknown>) => work() }
  const req = {
    get: (name: string) => sent[name],
    query: { qr_value: mintQrValue() },
    openapi,
    exchange: { slot, passed: [] },
  } as unknown as Request
  const code = await securityHandlers['secretToken']!(req, []).then(
    () => 'accepted',
    (error: Failure) => error.code,
  )
  expect((req.exchange.refusal as Failure).code).toBe(code)
  return { code, isHashed: hmacs.mock.calls.length > 0 }
}

describe('the first check that fails decides the refusal', () => {
  test.each([
    [
      'sandbox',
      'no secret, from a page',
      { 'x-secret-code': 'code', origin: 'https://a.example' },
      'missing',
    ],
    ['sandbox', 'no code', { 'x-secret-token': 'wrong' }, 'missing'],
    ['sandbox', 'a page of another origin', { ...WRONG, origin: 'https://a.example' }, 'browser'],
    ['sandbox', 'an own page', { ...WRONG, origin: OWN_PAGE }, 'invalid'],
    [
      'sandbox',
      'an own page behind a proxy that adds the port',
      { ...WRONG, origin: OWN_PAGE, host: `${HOST}:443` },
      'invalid',
    ],
    ['live', 'an own page', { ...WRONG, origin: OWN_PAGE }, 'browser'],
    ['live', 'a wrong secret', WRONG, 'invalid'],
  ] as const)('%s: %s', async (environment, _what, headers, refused) => {
    const codes = {
      missing: 'credentials_missing',
      browser: 'browser_use_forbidden',
      invalid: 'credentials_invalid',
    }
    expect((await refusalOf(environment, headers)).code).toBe(codes[refused])
  })
})

test('a text that cannot be a secret is refused before anything is looked up', async () => {
  const secret = mintSecret(secretPrefix('live', 'secret_token'))
  expect(await refusalOf('live', WRONG)).toMatchObject({ isHashed: false })
  expect(await refusalOf('live', { ...WRONG, 'x-secret-token': secret })).toMatchObject({ isHashed: true })
})

describe('authentication needs a slot, which is counted by', () => {
  const AT_ADDRESS = 'partner 7 203.0.113.9'
  const SECRET = mintSecret(secretPrefix('live', 'secret_token'))
  const entry = { partner: { id: 7, ip_allow_list: [] }, secrets: [{ id: 1, hmac: 'hmac' }] }

  /** The name by which the slot is counted; `undefined`: no slot was needed. */
  async function nameOfSlot(operationId: string, cached: { isCurrent: boolean } | undefined) {
    const authenticateAs = vi.fn(() => Promise.resolve({ caller: { id: 7 } }))
    const service = {
      config: { environment: 'live' },
      keys: { hmacs: () => ['hmac'] },
      partnerCache: { get: () => cached && { entry, ...cached } },
    } as unknown as Service
    const sent: Record<string, string> = { 'x-secret-code': 'code', 'x-secret-token': SECRET }
    const req = {
      get: (name: string) => sent[name],
      ip: '203.0.113.9',
      openapi: { schema: { operationId } },
      exchange: { slot: { authenticateAs }, passed: [] },
    } as unknown as Request
    await createSecurityHandlers(service, {} as Identities, () => {}).securityHandlers['secretToken']!(
      req,
      [],
    )
    expect(req.exchange.callerName).toBe('partner 7')
    return (authenticateAs.mock.calls as unknown[][])[0]?.[0]
  }

  test.each([
    ['the address, if the secret is not in the cache', 'inquire', undefined, '203.0.113.9'],
    ['the partner, if its secret was valid a moment ago', 'inquire', { isCurrent: false }, AT_ADDRESS],
    ['nothing, if its secret is valid now', 'inquire', { isCurrent: true }, undefined],
    ['the partner, if the operation preloads rows', 'profileByQr', { isCurrent: true }, AT_ADDRESS],
  ])('%s', async (_what, operationId, cached, name) => {
    expect(await nameOfSlot(operationId, cached)).toBe(name)
  })
})

test('an authenticated citizen is counted by its HMAC, and authenticates with a slot of its address', async () => {
  const { securityHandlers } = createSecurityHandlers(
    { keys: { hmacs: () => ['hmac'] } } as unknown as Service,
    { verifyCitizen: async () => ({ sub: 'CTZ-1', exp: 1_800_000_000 }) } as unknown as Identities,
    () => {},
  )
  const slot = { authenticateAs: vi.fn((_name: string, work: () => Promise<unknown>) => work()) }
  const req = { get: () => undefined, ip: '192.0.2.1', exchange: { slot } } as unknown as Request
  await securityHandlers['citizenToken']!(req, [])
  expect(req.exchange.caller).toMatchObject({ uniqidHmacs: ['hmac'], tokenExpiresAtMs: 1_800_000_000_000 })
  expect(req.exchange.callerName).toBe('citizen hmac')
  expect(slot.authenticateAs.mock.calls[0]![0]).toBe('192.0.2.1')
  await req.exchange.reauthenticate!()
  expect(slot.authenticateAs).toHaveBeenCalledOnce()
})

describe('the assurance of a citizen', () => {
  const NOW_SECONDS = 1_800_000_000

  async function assuranceOf(claims: Record<string, unknown>) {
    vi.spyOn(Date, 'now').mockReturnValue(NOW_SECONDS * 1_000)
    onTestFinished(() => void vi.restoreAllMocks())
    const token = { sub: 'CTZ-1', iat: NOW_SECONDS - 100, exp: NOW_SECONDS + 100, ...claims }
    const { securityHandlers } = createSecurityHandlers(
      { keys: { hmacs: () => ['hmac'] } } as unknown as Service,
      { verifyCitizen: async () => token } as unknown as Identities,
      () => {},
    )
    const slot = { authenticateAs: (_name: string, work: () => Promise<unknown>) => work() }
    const req = { get: () => undefined, ip: '192.0.2.1', exchange: { slot } } as unknown as Request
    await securityHandlers['citizenToken']!(req, [])
    return (req.exchange.caller as AuthenticatedCitizen).assurance
  }

  test.each([0, NOW_SECONDS - 0.5, NOW_SECONDS, NOW_SECONDS + 30])(
    'auth_time: %o is a time',
    async (time) => {
      expect(await assuranceOf({ auth_time: time })).toMatchObject({
        hasAuthTime: true,
        authenticatedAt: new Date(time * 1_000),
      })
    },
  )

  test.each([
    ['in the future', NOW_SECONDS + 31],
    ['in milliseconds', NOW_SECONDS * 1_000],
    ['before 1970', -1],
    ['too large for a date', 1e300],
    ['too large for a number', Infinity],
    ['too small for a number', -Infinity],
    ['a text', String(NOW_SECONDS)],
    ['null', null],
    ['a boolean', true],
    ['a list', [NOW_SECONDS]],
    ['an object', { time: NOW_SECONDS }],
  ])('an auth_time that is %s counts as absent', async (_what, time) => {
    expect(await assuranceOf({ auth_time: time })).toMatchObject({
      hasAuthTime: false,
      authenticatedAt: new Date((NOW_SECONDS - 100) * 1_000),
    })
  })

  test.each([
    ['a number', 2],
    ['null', null],
    ['a boolean', true],
    ['a list', ['high']],
    ['an object', { level: 'high' }],
    ['a text that the database cannot store', 'high\0'],
    ['a text that is too long', 'x'.repeat(256)],
  ])('an acr that is %s counts as absent', async (_what, acr) => {
    expect((await assuranceOf({ acr })).acr).toBeNull()
  })

  test('an acr may have 255 characters', async () => {
    expect((await assuranceOf({ acr: 'x'.repeat(255) })).acr).toHaveLength(255)
  })
})

test('an access token is counted as its partner, and authenticates as this partner at its address', async () => {
  const ring = mintKeys()
  const keys = createKeyRing(() => ring)
  const token = { partnerId: 7, ip_allow_list: [] }
  const slot = { authenticateAs: vi.fn(async () => ({ caller: token, loaded: {} })) }
  const authorization = `Bearer ${mintAccessToken(keys, 7).accessToken}`
  const req = {
    get: () => authorization,
    ip: '192.0.2.1',
    exchange: { slot, passed: [] },
  } as unknown as Request
  const { securityHandlers } = createSecurityHandlers({ keys } as Service, {} as Identities, () => {})
  await securityHandlers['accessToken']!(req, [])
  expect(req.exchange.callerName).toBe('partner 7')
  expect(slot.authenticateAs).toHaveBeenCalledExactlyOnceWith('partner 7 192.0.2.1', expect.any(Function))
})
