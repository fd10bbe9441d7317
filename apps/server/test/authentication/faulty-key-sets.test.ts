// Responses of an identity provider that change nothing, and what the log says about each.
import { exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import {
  first,
  keys,
  MINUTE_MS,
  type Respond,
  second,
  startProvider,
  startVerifier,
} from '../kit/key-set-verifier.ts'

const noKey = 'no JWK set with a public key'
const faulty: Record<string, { respond: Respond; reason: string }> = {
  'an error': {
    respond: (res) => void res.writeHead(500).end(JSON.stringify({ keys: [second.jwk] })),
    reason: 'status 500',
  },
  'an address that is gone': {
    respond: (res) => void res.writeHead(404).end(JSON.stringify({ keys: [second.jwk] })),
    reason: 'status 404',
  },
  'no content': { respond: (res) => void res.writeHead(204).end(), reason: 'status 204' },
  'a page': {
    respond: (res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Maintenance</h1>'),
    reason: noKey,
  },
  'other JSON': { respond: (res) => void res.end(JSON.stringify([second.jwk])), reason: noKey },
  'keys that are no list': { respond: (res) => void res.end('{"keys":{"kty":"EC"}}'), reason: noKey },
  'no key': { respond: keys(), reason: noKey },
  'entries that are not keys': { respond: keys(null, 'key', 7, {}), reason: noKey },
  'a shared secret': { respond: keys({ kty: 'oct', k: 'c2VjcmV0', kid: 'second' }), reason: noKey },
  'a redirect': {
    respond: (res, elsewhere) => void res.writeHead(302, { Location: elsewhere }).end(),
    reason: 'status 302',
  },
  'more than 256 KiB': {
    respond: keys(second.jwk, { ...second.jwk, kid: 'x'.repeat(256 * 1024) }),
    reason: 'more than 262144 bytes',
  },
  'half a response': {
    respond: (res) =>
      void (res.writeHead(200, { 'Content-Length': '9000' }).write('{"keys":['),
      setImmediate(() => res.destroy())),
    reason: 'ECONNRESET',
  },
}
test.each(Object.entries(faulty))('%s', async (_what, { respond, reason }) => {
  await using elsewhere = await startProvider(keys(second.jwk))
  await using it = await startVerifier(keys(first.jwk), elsewhere.url)
  expect(await it.outcome(first)).toBe('CTZ-1')
  it.provider.response = respond
  it.clock.nowMs += 5 * MINUTE_MS
  await it.keySet.refreshIfDue()
  expect([await it.outcome(first), await it.outcome(second)]).toEqual(['CTZ-1', 'unavailable'])
  expect(it.results[1]).toEqual({ failures: 1, reason })
  expect(elsewhere.fetches).toBe(0)
})

test('503: a key set that publishes a private key gives no reason to refuse a token as invalid', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  await using it = await startVerifier(keys({ ...(await exportJWK(privateKey)), kid: 'first' }))
  expect(await it.outcome(first)).toBe('unavailable')
})
