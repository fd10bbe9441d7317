import { createSecretKey, randomBytes } from 'node:crypto'
import { CompactEncrypt, EncryptJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  isQrValue,
  isSecret,
  mintQrValue,
  mintRecordId,
  mintRequestId,
  mintSecret,
  mintSecretCode,
  mintTrackingNo,
  secretFrom,
} from '../src/secrets/artefact.ts'
import { createKeyRing, type MacDomain, matchingMac } from '../src/secrets/key-ring.ts'
import { mintKeys } from '../src/secrets/open-key-ring.ts'
import { mintAccessToken, openAccessToken } from '../src/sso/access-token.ts'

const many = <T>(mint: () => T, count = 500) => Array.from({ length: count }, mint)
const newRing = () => {
  const minted = mintKeys()
  return createKeyRing(() => minted)
}
const keys = newRing()

describe('forms (DESIGN section 4)', () => {
  const CROCKFORD = '[0-9A-HJKMNP-TV-Z]'
  test.each([
    ['secret code', mintSecretCode, /^twc_[0-9A-Za-z]{20}$/],
    ['live token', () => mintSecret('twt_live_'), /^twt_live_[0-9A-Za-z]{49}$/],
    ['partner secret of the sandbox', () => mintSecret('tws_test_'), /^tws_test_[0-9A-Za-z]{49}$/],
    ['exchange code', () => mintSecret('twx_'), /^twx_[0-9A-Za-z]{49}$/],
    ['QR value', mintQrValue, new RegExp(`^TWQ1${CROCKFORD}{32}$`)],
    ['tracking number', mintTrackingNo, new RegExp(`^${CROCKFORD}{26}$`)],
    ['request id', mintRequestId, /^req_[0-9A-Za-z]{22}$/],
  ])('%s: prefix, alphabet and length; no two alike; every character in use', (_name, mint, form) => {
    const minted = many(mint, 2_000)
    for (const text of minted) expect(text).toMatch(form)
    expect(new Set(minted).size).toBe(minted.length)
    // A short or biased alphabet shows at one place in the random part.
    expect(new Set(minted.map((text) => text.at(-10))).size).toBe(String(form).includes(CROCKFORD) ? 32 : 62)
  })

  test('record id: below 2^53, above 0, in no order', () => {
    const ids = many(mintRecordId)
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true)
    expect(ids).not.toEqual(ids.toSorted((a, b) => a - b))
  })

  test('a secret from the same bytes is the same secret', () => {
    const bytes = randomBytes(32)
    expect(secretFrom('twt_test_', bytes)).toBe(secretFrom('twt_test_', bytes))
    expect(isSecret('twt_test_', secretFrom('twt_test_', bytes))).toBe(true)
    // The largest number of 256 bits still fits into 43 characters.
    expect(secretFrom('', Buffer.alloc(32, 255))).toHaveLength(49)
  })
})

describe('checksum', () => {
  const secret = mintSecret('twx_')
  test('any one changed character is caught, wherever it stands', () => {
    const replaced = Array.from(secret, (own, at) =>
      ['0', 'a', 'Z', '_', 'é'].filter((other) => other !== own).map((other) => secret.slice(0, at) + other + secret.slice(at + 1)),
    ).flat()
    expect(replaced.filter((text) => isSecret('twx_', text))).toEqual([])
  })

  test('cut, lengthened, of another prefix, empty: not a secret', () => {
    for (const text of [secret.slice(0, -1), `${secret}0`, `${secret}\n`, ` ${secret}`, secret.toUpperCase(), ''])
      expect(isSecret('twx_', text)).toBe(false)
    expect(isSecret('twt_', secret)).toBe(false)
    expect(isSecret('twx_', secret)).toBe(true)
  })

  test('a QR value keeps its form exactly', () => {
    const qr = mintQrValue()
    for (const text of [qr.toLowerCase(), `${qr}0`, qr.slice(1), `${qr}\n`, qr.replace(/.$/, 'U'), '']) expect(isQrValue(text)).toBe(false)
  })
})

describe('keyed hashes', () => {
  test('the same value in another domain, or under another key, is another hash', () => {
    const domains: MacDomain[] = ['secret_token', 'partner_secret', 'qr_value', 'exchange_code', 'access_token', 'uniqid']
    const macs = domains.flatMap((domain) => [keys.mac(domain, 'value'), newRing().mac(domain, 'value')])
    expect(new Set(macs).size).toBe(12)
    for (const mac of macs) expect(mac).toMatch(/^[\w-]{36}\.[\w-]{43}$/)
  })

  test('no value can be told as another by moving the border between domain and value', () => {
    expect(keys.mac('qr_value', 'x')).not.toBe(keys.mac('qr_value\0' as MacDomain, 'x'))
    expect(keys.mac('qr' as MacDomain, '_valuex')).not.toBe(keys.mac('qr_value', 'x'))
  })

  test.each([0, 1, 2])('with %i stored: found exactly when it is among them', (count) => {
    const stored = many(() => keys.mac('secret_token', randomBytes(8).toString('hex')), count)
    for (const mac of stored) expect(matchingMac([mac], stored)).toBe(mac)
    expect(matchingMac([keys.mac('secret_token', 'another')], stored)).toBeUndefined()
  })

  test('what fills an empty place matches nothing that can be presented', () => {
    expect(matchingMac([`-.${'-'.repeat(43)}`], [])).toBeUndefined()
    expect(matchingMac([keys.mac('secret_token', '')], [])).toBeUndefined()
  })
})

describe('access token', () => {
  const header = { alg: 'dir', enc: 'A256GCM', kid: keys.current('access-token').kid, typ: 'tiwala-access+jwt' }
  const forge = (changed: Record<string, string> = {}, claims: Record<string, unknown> = {}, key = keys.current('access-token').key) =>
    new EncryptJWT({ partner: 7, jti: 'j', aud: 'tiwala-sso', ...claims }).setProtectedHeader({ ...header, ...changed }).encrypt(key)

  test('ours opens, and carries the partner and nothing of a citizen', async () => {
    const { jti, accessToken } = await mintAccessToken(keys, 7)
    expect(await openAccessToken(keys, accessToken)).toEqual({ jti, partnerId: 7 })
    expect(accessToken.length).toBeLessThan(400)
    // So that each refusal below is due to the one thing that differs.
    expect(await openAccessToken(keys, await forge())).toEqual({ jti: 'j', partnerId: 7 })
  })

  test.each<[string, () => Promise<string>]>([
    ['another enc', () => forge({ enc: 'A128CBC-HS256' })],
    ['another enc of the same key length', () => forge({ enc: 'A128CBC-HS256' }, {}, keys.current('access-token').key)],
    ['another kid', () => forge({ kid: 'unknown' })],
    ['another alg', () => forge({ alg: 'A256KW' })],
    ['another alg with a nonce', () => forge({ alg: 'A256GCMKW' })],
    ['another typ', () => forge({ typ: 'JWT' })],
    ['another aud', () => forge({}, { aud: 'tiwala-citizen' })],
    ['no jti', () => forge({}, { jti: undefined })],
    ['no partner', () => forge({}, { partner: undefined })],
    ['another key', () => forge({}, {}, createSecretKey(randomBytes(32)))],
    ['too long', () => forge({}, { filler: 'x'.repeat(1_000) })],
    [
      'compressed',
      async () =>
        new CompactEncrypt(Buffer.from('{"partner":7,"jti":"j","aud":"tiwala-sso"}'))
          .setProtectedHeader({ ...header, zip: 'DEF' })
          .encrypt(keys.current('access-token').key),
    ],
    ['one character changed', async () => (await forge()).replace(/.(?=.{30}$)/, (own) => (own === 'A' ? 'B' : 'A'))],
    ['not a token', async () => 'a.b.c.d.e'],
    ['empty', async () => ''],
  ])('%s: refused', async (_name, forged) => {
    expect(await openAccessToken(keys, await forged())).toBeUndefined()
  })
})
