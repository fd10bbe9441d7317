// Wrong and weak settings: each gets one line that names it, and says what to write.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { mintKeys, requireKeys } from '../../src/secrets/open-key-ring.ts'
import { LIVE } from '../kit/live-settings.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

function messageOf(settings: Record<string, string>): string {
  try {
    readConfig({ ...LIVE, ...settings })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  ['PORT', '0', /"0" is not a whole number from 1 to 65535/],
  ['HOST', '', /"" is not an address or a host name/],
  ['DATABASE_URL', 'mysql://svc:S3cret@db.example/tiwala', /is not a URL such as postgres:/],
  ['DATABASE_URL', 'postgres://svc:S3cret@localhost', /is not a URL such as postgres:.*\/database/],
  ['TIWALA_PUBLIC_URL', 'https://tiwala.example/base', /is not the URL of a host alone/],
  ['TIWALA_PUBLIC_URL', 'https://svc:S3cret@tiwala.example', /is not the URL of a host alone/],
  ['TIWALA_CITIZEN_AUDIENCE', '', /is empty\. Remove it to use the default/],
  ['TIWALA_CITIZEN_JWKS_URL', 'citizens.example', /is not a URL such as https:/],
  ['TIWALA_TRUSTED_PROXIES', '10.0.0.0/99', /is not an IP address or range/],
  ['TIWALA_TRUSTED_PROXIES', '0.0.0.0/0', /trusts every address.*Name the proxies/],
  ['TIWALA_OPERATOR_ADDRESS', '127.0.0.1:8080', /is the address of HOST and PORT\. Choose another/],
  ['TIWALA_QR_TTL_SECONDS', '1e3', /is not a whole number/],
])('%s=%s gets one line that says what to write', (name, value, message) => {
  const refusal = messageOf({ [name]: value })
  expect(refusal).not.toMatch(/S3cret|\n/)
  expect(refusal).toMatch(new RegExp(`^${name}: `))
  expect(refusal).toMatch(message)
})

describe('a key ring that is weak or cannot be read', () => {
  const ring = mintKeys()
  const withKeys = (...keys: object[]) => JSON.stringify({ keys })
  const withKey = (purpose: string, change: object) =>
    withKeys(...ring.map((key) => (key.purpose === purpose ? { ...key, ...change } : key)))
  const half = randomBytes(16).toString('base64url')
  const zeros = Buffer.alloc(32).toString('base64url')
  const other = mintKeys().find(({ purpose }) => purpose === 'audit')!
  test.each([
    [
      'a key that is not random',
      withKey('pepper', { k: zeros }),
      /is not random\. Create it with: npm run keys/,
    ],
    ['a short key', withKey('webhook', { k: 'abcd' }), /is not a key of 256 bits\. Create it/],
    ['a pair whose halves do not fit', withKey('audit', { x: other.x }), /is not an Ed25519 key\. Create it/],
    ['a key of 128 bits', withKey('webhook', { k: half }), /is not a key of 256 bits\. Create it/],
    ['a kid with a dot', withKey('pepper', { kid: 'a.b' }), /has an invalid kid/],
    ['a time that is no time', withKey('pepper', { active_from: 'soon' }), /^[^:]+: active_from of the key /],
    [
      'two keys with one kid',
      withKeys(...ring, ring[0]!),
      /Two keys with the purpose "pepper" have the same/,
    ],
    ['no key of a purpose', withKeys(...ring.slice(1)), /lacks a 256-bit key with the purpose "pepper"/],
    [
      'no private audit key',
      withKey('audit', { d: undefined }),
      /lacks a private key with the purpose "audit"/,
    ],
    ['half a file', '{"keys":[', /is not a JWK set: .* Create one with: npm run keys -- init/],
  ])('%s', async (_what, TIWALA_KEY_RING, message) => {
    const refusal = requireKeys(readConfig({ ...LIVE, TIWALA_KEY_RING }))
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.toThrow(/^TIWALA_KEY_RING: /)
  })

  test('a missing file, and a folder', async () => {
    await using folder = await temporaryFolder()
    const refusalOfFile = (path: string) =>
      requireKeys(readConfig({ ...LIVE, TIWALA_KEY_RING: '', TIWALA_KEY_RING_FILE: path }))
    await expect(refusalOfFile(join(folder.path, 'ring.json'))).rejects.toThrow(
      /^TIWALA_KEY_RING_FILE: cannot read .*ring\.json \(ENOENT\)\. Create it: npm run keys -- init --file /,
    )
    await expect(refusalOfFile(folder.path)).rejects.toThrow(/\(EISDIR\)\. It must be a file/)
  })
})
