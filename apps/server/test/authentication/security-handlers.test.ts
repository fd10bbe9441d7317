// The order of the checks, and what a refusal changes, without a database.
import type { Request } from 'express'
import { describe, expect, test, vi } from 'vitest'
import type { Claims } from '../../src/authentication/claims.ts'
import type { Identities } from '../../src/authentication/identity-tokens.ts'
import { createSecurityHandlers } from '../../src/authentication/security-handlers.ts'
import { Failure } from '../../src/failure.ts'
import type { Service } from '../../src/operation.ts'
import { secretPrefix } from '../../src/partners/credentials/credential.ts'
import type { KeyRing } from '../../src/secrets/key-ring.ts'
import { mintQrValue, mintSecret } from '../../src/secrets/tokens.ts'

const HOST = 'tiwala.example'
const OWN_PAGE = `https://${HOST}`
const WRONG = { 'x-secret-code': 'code', 'x-secret-token': 'wrong' }

/** Authenticates a partner by these headers; returns the code of the refusal. */
async function refusalOf(environment: 'sandbox' | 'live', headers: Record<string, string>) {
  const withdraw = vi.fn<Claims['withdraw']>()
  const hmacs = vi.fn<KeyRing['hmacs']>(() => {
    throw new Failure('unavailable', { retryAfterSeconds: 1 })
  })
  const { securityHandlers } = createSecurityHandlers(
    { config: { environment }, keys: { hmacs } } as unknown as Service,
    {} as Identities,
    { withdraw } as unknown as Claims,
  )
  const sent: Record<string, string> = { host: HOST, ...headers }
  const openapi = { schema: { operationId: 'profileByQr' } }
  const slot = { keepDuring: (work: () => Promise<unknown>) => work() }
  const req = {
    get: (name: string) => sent[name],
    query: { qr_value: mintQrValue() },
    openapi,
    slot,
  } as unknown as Request
  const code = await securityHandlers['secretToken']!(req, []).then(
    () => 'accepted',
    (error: Failure) => error.code,
  )
  expect((req.refusal as Failure).code).toBe(code)
  return { code, isWithdrawn: withdraw.mock.calls.length === 1, isHashed: hmacs.mock.calls.length > 0 }
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

test('a refused credential is no longer known; a fault of the service changes nothing', async () => {
  const secret = mintSecret(secretPrefix('live', 'secret_token'))
  expect(await refusalOf('live', WRONG)).toMatchObject({
    code: 'credentials_invalid',
    isWithdrawn: true,
  })
  expect(await refusalOf('live', { ...WRONG, 'x-secret-token': secret })).toMatchObject({
    code: 'unavailable',
    isWithdrawn: false,
  })
})

test('a text that cannot be a secret is refused before anything is looked up', async () => {
  const secret = mintSecret(secretPrefix('live', 'secret_token'))
  expect(await refusalOf('live', WRONG)).toMatchObject({ isHashed: false })
  expect(await refusalOf('live', { ...WRONG, 'x-secret-token': secret })).toMatchObject({ isHashed: true })
})

test('an authenticated citizen is known from then on, and keeps its slot meanwhile', async () => {
  const known = { caller: 'citizen mac', isKnown: true, fingerprint: 'f' }
  const confirm = vi.fn<Claims['confirm']>(() => known)
  const { securityHandlers } = createSecurityHandlers(
    { keys: { hmacs: () => ['mac'] } } as unknown as Service,
    { verifyCitizen: async () => ({ sub: 'CTZ-1', exp: 1_800_000_000 }) } as unknown as Identities,
    { confirm } as unknown as Claims,
  )
  const slot = { keepDuring: vi.fn((work: () => Promise<unknown>) => work()), assign: vi.fn() }
  const req = { get: () => undefined, slot } as unknown as Request
  await securityHandlers['citizenToken']!(req, [])
  expect(req.caller).toEqual({ uniqidHmacs: ['mac'], tokenExpiresAtMs: 1_800_000_000_000 })
  expect(slot.keepDuring).toHaveBeenCalledOnce()
  expect(confirm).toHaveBeenCalledExactlyOnceWith(req, 'citizen mac')
  expect(slot.assign).toHaveBeenCalledExactlyOnceWith(known)
})
