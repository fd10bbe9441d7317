// The keys of an identity provider: the server keeps them while the provider is unreachable, and renews them
// when the provider rotates them. The provider in these tests is a real HTTP server.
import type { ServerResponse } from 'node:http'
import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Logger } from 'pino'
import { describe, expect, inject, test, vi } from 'vitest'
import { startIdentities } from '../../src/authentication/identity-tokens.ts'
import { createKeySet } from '../../src/authentication/key-set.ts'
import type { Config } from '../../src/config.ts'
import type { KeyRing } from '../../src/secrets/key-ring.ts'
import { freePort, startService } from '../../src/testing/start-service.ts'
import { createApiClient, refusalOf } from '../kit/api-client.ts'
import {
  audience,
  first,
  HOUR_MS,
  issuer,
  keys,
  MINUTE_MS,
  newKey,
  second,
  startProvider,
  startVerifier,
  unreachable,
} from '../kit/key-set-verifier.ts'

describe('while the identity provider is unreachable', () => {
  test('503: the last good keys are used for 24 hours; then tokens need the provider', async () => {
    await using it = await startVerifier(keys(first.jwk))
    const { provider, clock, keySet, outcome } = it
    const startMs = clock.nowMs
    expect(await outcome(first)).toBe('CTZ-1')
    provider.response = unreachable
    for (const afterMs of [11 * MINUTE_MS, 5 * HOUR_MS, 24 * HOUR_MS - 1]) {
      clock.nowMs = startMs + afterMs
      await keySet.refreshIfDue()
      expect(await outcome(first)).toBe('CTZ-1')
    }
    clock.nowMs = startMs + 24 * HOUR_MS
    await expect(it.verify(first.authorization)).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'Retry-After': '5' },
      cause: { message: expect.stringContaining('keys of the identity provider could not be fetched') },
    })
    provider.response = keys(first.jwk)
    clock.nowMs += 30_000
    expect(await outcome(first)).toBe('CTZ-1')
  })

  test('the pauses between attempts grow, and requests cause no extra attempts', async () => {
    await using it = await startVerifier(unreachable)
    const attemptsAtMs: number[] = []
    const startMs = it.clock.nowMs
    for (; it.clock.nowMs < startMs + 2 * MINUTE_MS; it.clock.nowMs += 1_000) {
      const before = it.provider.fetches
      await it.keySet.refreshIfDue()
      expect(await it.outcome(first)).toBe('unavailable')
      if (it.provider.fetches > before) attemptsAtMs.push(it.clock.nowMs - startMs)
    }
    expect(attemptsAtMs.map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15, 31, 61, 91])
    expect(it.provider.fetches).toBe(attemptsAtMs.length)
  })

  test('503: an unknown kid may be a new key, so the token is not called invalid', async () => {
    await using it = await startVerifier(keys(first.jwk))
    expect(await it.outcome(first)).toBe('CTZ-1')
    it.provider.response = unreachable
    it.clock.nowMs += 10_000
    await expect(it.verify(second.authorization)).rejects.toMatchObject({
      code: 'unavailable',
      cause: {
        message: 'The keys of the identity provider could not be fetched.',
        cause: { code: 'ECONNRESET' },
      },
    })
    expect(await it.outcome(first)).toBe('CTZ-1')
  })

  test('the error says that the keys are missing', async () => {
    await using it = await startVerifier(unreachable)
    const found = it.keySet.findKey({ alg: 'ES256', kid: 'first' }, { payload: '', signature: '' })
    await expect(found).rejects.toThrow('The keys of the identity provider could not be fetched.')
  })

  test('after a success, the next failure counts as the first one', async () => {
    await using it = await startVerifier(unreachable)
    const failure = { failures: 1, reason: expect.any(String) }
    await it.keySet.refreshIfDue()
    it.provider.response = keys(first.jwk)
    it.clock.nowMs += 1_000
    await it.keySet.refreshIfDue()
    it.clock.nowMs += 10_000
    // Only the first of these causes a fetch. The second is refused by the keys that are known.
    expect([await it.outcome(second), await it.outcome(second)]).toEqual(['token_invalid', 'token_invalid'])
    it.provider.response = unreachable
    it.clock.nowMs += 5 * MINUTE_MS
    await it.keySet.refreshIfDue()
    expect(it.results).toEqual([failure, { failures: 0 }, { failures: 0 }, failure])
  })

  test('503: the service starts without its providers, and accepts tokens when they are back', async () => {
    const port = await freePort()
    const settings = {
      TIWALA_CITIZEN_JWKS_URL: `http://127.0.0.1:${port}/jwks.json`,
      TIWALA_CITIZEN_ISSUER: issuer,
    }
    const service = await startService(inject('postgres'), settings)
    const { send, citizens } = await createApiClient(service.url)
    const { jwk, authorization } = await newKey('theirs', '1h')
    const list = () => send('listAuthorizations', { headers: { Authorization: authorization } })
    expect(citizens.length).toBeGreaterThan(0)
    expect(await refusalOf(list())).toBe('503 unavailable')
    await using provider = await startProvider(keys(jwk), { port })
    await expect.poll(async () => (await list()).status, { timeout: 60_000 }).toBe(200)
    expect(provider.fetches).toBeGreaterThan(0)
    await service.close()
  })
})

describe('a key that the provider rotated', () => {
  test('is found at once by its kid, and the old key stops working with the next refresh', async () => {
    await using it = await startVerifier(keys(first.jwk))
    expect(await it.outcome(first)).toBe('CTZ-1')
    it.provider.response = keys(second.jwk)
    it.clock.nowMs += 10_000
    expect(await it.outcome(second)).toBe('CTZ-1')
    expect(await it.outcome(first)).toBe('token_invalid')
    expect(it.provider.fetches).toBe(2)
  })

  test('is found without any request: the keys are refreshed every five minutes', async () => {
    await using it = await startVerifier(keys(first.jwk))
    await it.keySet.refreshIfDue()
    it.provider.response = keys(second.jwk)
    it.clock.nowMs += 5 * MINUTE_MS - 1
    await it.keySet.refreshIfDue()
    expect(it.provider.fetches).toBe(1)
    it.clock.nowMs += 1
    await it.keySet.refreshIfDue()
    expect([await it.outcome(first), await it.outcome(second)]).toEqual(['token_invalid', 'CTZ-1'])
    // The clock was ahead for a moment.
    await it.keySet.refreshIfDue()
    expect(it.provider.fetches).toBe(2)
    it.clock.nowMs -= 1
    await it.keySet.refreshIfDue()
    expect(it.provider.fetches).toBe(3)
  })

  test('a flood of unknown kids causes one fetch in 10 seconds, and delays no valid token', async () => {
    await using it = await startVerifier(keys(first.jwk))
    expect(await it.outcome(first)).toBe('CTZ-1')
    const flood = async () =>
      new Set(await Promise.all(Array.from({ length: 100 }, () => it.outcome(second))))
    it.clock.nowMs += 9_999
    expect([await flood(), await flood()]).toEqual([new Set(['token_invalid']), new Set(['token_invalid'])])
    expect(it.provider.fetches).toBe(1)
    it.clock.nowMs += 1
    expect(await flood()).toEqual(new Set(['token_invalid']))
    expect(it.provider.fetches).toBe(2)
  })
})

test('each key with the kid of a token is tried, without a fetch', async () => {
  await using it = await startVerifier(keys(second.jwk, { ...second.jwk, kid: 'first' }, first.jwk))
  expect([await it.outcome(first), await it.outcome(second)]).toEqual(['CTZ-1', 'CTZ-1'])
  const { authorization } = await newKey('first')
  expect(await it.outcome({ authorization })).toBe('token_invalid')
  expect(it.provider.fetches).toBe(1)
})

describe('a key set is read', () => {
  const text = JSON.stringify({ keys: [first.jwk], issued_by: 'Piñas' })
  const littleEndian = Buffer.from(text, 'utf16le')
  test.each([
    ['in UTF-8', Buffer.from(text)],
    ['in UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['in UTF-16, little-endian', littleEndian],
    ['in UTF-16, little-endian, with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['in UTF-16, big-endian', Buffer.from(littleEndian).swap16()],
    ['in UTF-16, big-endian, with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('%s', async (_what, bytes) => {
    await using it = await startVerifier((res) => void res.end(bytes))
    expect(await it.outcome(first)).toBe('CTZ-1')
  })
})

test('a name is looked up without the threads that the look-ups of the system share', async () => {
  await using provider = await startProvider(keys(first.jwk))
  const names: string[] = []
  const lookup: LookupFunction = (hostname, _options, done) => {
    names.push(hostname)
    done(null, [{ address: '127.0.0.1', family: 4 }])
  }
  const url = provider.url.replace('127.0.0.1', 'identity.example')
  const keySet = createKeySet({ url, keptMs: HOUR_MS, lookup })
  await keySet.refreshIfDue()
  expect([keySet.hasKeys(), names]).toEqual([true, ['identity.example']])
})

test('an unknown kid during a fetch waits for it, and leaves the next fetch to the next one', async () => {
  await using it = await startVerifier(keys(first.jwk))
  await it.keySet.refreshIfDue()
  const asked = Promise.withResolvers<ServerResponse>()
  it.provider.response = asked.resolve
  it.clock.nowMs += 5 * MINUTE_MS
  const refreshed = it.keySet.refreshIfDue()
  const res = await asked.promise
  const early = it.outcome(second)
  keys(first.jwk)(res, '')
  await refreshed
  expect(await early).toBe('token_invalid')
  it.provider.response = keys(second.jwk)
  it.clock.nowMs += 10_000
  expect(await it.outcome(second)).toBe('CTZ-1')
})

test('a response of exactly 256 KiB is accepted', async () => {
  const text = (kid: string) => JSON.stringify({ keys: [first.jwk, { ...first.jwk, kid }] })
  const exact = text('x'.repeat(256 * 1024 - text('').length))
  await using it = await startVerifier((res) => void res.end(exact))
  expect(await it.outcome(first)).toBe('CTZ-1')
})

describe('a fetch', () => {
  test('asks for a key set', async () => {
    await using it = await startVerifier(keys(first.jwk))
    expect(await it.outcome(first)).toBe('CTZ-1')
    expect(it.provider.accept).toBe('application/json, application/jwk-set+json')
  })

  test('that is in progress ends when the identities are stopped, and is not called a failure', async () => {
    await using provider = await startProvider(() => {})
    const identity = { issuer, audience: 'tiwala-citizen', jwksUrl: provider.url }
    const config = {
      citizenIdentity: identity,
      operatorIdentity: identity,
      staffIdentity: {},
      identityKeysKeptHours: 1,
    }
    const warn = vi.fn()
    const identities = startIdentities(config as Config, {} as KeyRing, { warn } as unknown as Logger)
    await expect.poll(() => provider.fetches, { interval: 5 }).toBe(2)
    const stopped = identities.stop().then(() => 'stopped')
    expect(await Promise.race([stopped, sleep(2_000, 'still fetching')])).toBe('stopped')
    await expect.poll(() => provider.aborted, { interval: 5, timeout: 2_000 }).toBe(2)
    expect(warn).not.toHaveBeenCalled()
  })
})

test.each([
  ['EdDSA', 'Ed25519'],
  ['Ed25519', 'EdDSA'],
])(
  'a key that is published for %s verifies a token of %s, the other name of the algorithm',
  async (published, alg) => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid: 'e', alg: published }
    await using it = await startVerifier(keys(jwk))
    const token = await new SignJWT({ sub: 'CTZ-1' })
      .setProtectedHeader({ alg, kid: 'e' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)
    expect(await it.outcome({ authorization: `Bearer ${token}` })).toBe('CTZ-1')
  },
)
