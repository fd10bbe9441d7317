// The keys of an identity provider: the server keeps them while the provider is unreachable, and renews them
// when the provider rotates them. The provider in these tests is a real HTTP server.
import { createServer, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, inject, test } from 'vitest'
import { createVerifyIdentity } from '../../src/authentication/identity-tokens.ts'
import { createKeySet } from '../../src/authentication/key-set.ts'
import { freePort, startService } from '../../src/testing/start-service.ts'
import { createApiClient, refusalOf } from '../kit/api-client.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const [issuer, audience] = ['https://identity.example', 'tiwala-citizen']

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid })
    .setSubject('CTZ-1')
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
  return { jwk: { ...(await exportJWK(publicKey)), kid }, authorization: `Bearer ${token}` }
}
const [first, second] = [await newKey('first'), await newKey('second')]

type Respond = (res: ServerResponse, elsewhere: string) => void
const keys =
  (...published: unknown[]): Respond =>
  (res) =>
    void res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: published }))
const unreachable: Respond = (res) => void res.destroy()

async function startProvider(
  response: Respond,
  { port, elsewhere = '' }: { port?: number; elsewhere?: string } = {},
) {
  const provider = { response, fetches: 0, url: '', [Symbol.asyncDispose]: async () => void server.close() }
  const server = createServer((_req, res) => {
    provider.fetches++
    provider.response(res, elsewhere)
  })
  const listening = port ?? (await freePort())
  await new Promise<void>((resolve) => void server.listen(listening, '127.0.0.1', resolve))
  provider.url = `http://127.0.0.1:${listening}/jwks.json`
  return provider
}

/** A verifier with a clock that the test moves. */
async function startVerifier(response: Respond, elsewhere?: string) {
  const provider = await startProvider(response, elsewhere ? { elsewhere } : {})
  const clock = { nowMs: 1_000_000 }
  const keySet = createKeySet({ url: provider.url, keptMs: 24 * HOUR_MS, now: () => clock.nowMs })
  const verify = createVerifyIdentity({ issuer, audience, maxHours: 24 }, keySet.findKey)
  const outcome = ({ authorization }: { authorization: string }) =>
    verify(authorization).then(
      ({ sub }) => sub,
      ({ code }: { code: string }) => code,
    )
  return { provider, clock, keySet, verify, outcome, [Symbol.asyncDispose]: provider[Symbol.asyncDispose] }
}

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
    expect(await it.outcome(second)).toBe('unavailable')
    expect(await it.outcome(first)).toBe('CTZ-1')
  })

  test('503: the service starts without its providers, and accepts tokens when they are back', async () => {
    const port = await freePort()
    const settings = {
      TIWALA_CITIZEN_JWKS_URL: `http://127.0.0.1:${port}/jwks.json`,
      TIWALA_CITIZEN_ISSUER: issuer,
    }
    const service = await startService(inject('postgres'), settings)
    const { send, citizens } = await createApiClient(service.url)
    const { jwk, authorization } = await newKey('theirs')
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
    expect(await it.outcome(second)).toBe('CTZ-1')
    expect(await it.outcome(first)).toBe('token_invalid')
    expect(it.provider.fetches).toBe(2)
  })

  test('is found without any request: the keys are refreshed every five minutes', async () => {
    await using it = await startVerifier(keys(first.jwk))
    await it.keySet.refreshIfDue()
    it.provider.response = keys(second.jwk)
    it.clock.nowMs += 5 * MINUTE_MS
    await it.keySet.refreshIfDue()
    expect([await it.outcome(first), await it.outcome(second)]).toEqual(['token_invalid', 'CTZ-1'])
  })

  test('a flood of unknown kids causes one fetch in 30 seconds, and delays no valid token', async () => {
    await using it = await startVerifier(keys(first.jwk))
    expect(await it.outcome(first)).toBe('CTZ-1')
    const flood = async () =>
      new Set(await Promise.all(Array.from({ length: 100 }, () => it.outcome(second))))
    expect([await flood(), await flood()]).toEqual([new Set(['token_invalid']), new Set(['token_invalid'])])
    expect(it.provider.fetches).toBe(2)
    it.clock.nowMs += 29_999
    await flood()
    expect(it.provider.fetches).toBe(2)
    it.clock.nowMs += 1
    await flood()
    expect(it.provider.fetches).toBe(3)
  })
})

describe('a response of the provider that changes nothing:', () => {
  const faulty: Record<string, Respond> = {
    'an error': (res) => void res.writeHead(500).end(JSON.stringify({ keys: [second.jwk] })),
    'an address that is gone': (res) => void res.writeHead(404).end(JSON.stringify({ keys: [second.jwk] })),
    'a page': (res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Maintenance</h1>'),
    'other JSON': (res) => void res.end(JSON.stringify([second.jwk])),
    'no key': keys(),
    'entries that are not keys': keys(null, 'key', 7, {}),
    'a shared secret': keys({ kty: 'oct', k: 'c2VjcmV0', kid: 'second' }),
    'a redirect': (res, elsewhere) => void res.writeHead(302, { Location: elsewhere }).end(),
    'more than 256 KiB': keys(second.jwk, { ...second.jwk, kid: 'x'.repeat(256 * 1024) }),
    'half a response': (res) =>
      void (res.writeHead(200, { 'Content-Length': '9000' }).write('{"keys":['),
      setImmediate(() => res.destroy())),
  }
  test.each(Object.keys(faulty))('%s', async (what) => {
    await using elsewhere = await startProvider(keys(second.jwk))
    await using it = await startVerifier(keys(first.jwk), elsewhere.url)
    expect(await it.outcome(first)).toBe('CTZ-1')
    it.provider.response = faulty[what]!
    it.clock.nowMs += 5 * MINUTE_MS
    await it.keySet.refreshIfDue()
    expect([await it.outcome(first), await it.outcome(second)]).toEqual(['CTZ-1', 'unavailable'])
    expect(elsewhere.fetches).toBe(0)
  })
})
