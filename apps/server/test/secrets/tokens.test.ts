import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createKeyRing, type HmacDomain, findMatchingHmac, type RingKey } from '../../src/secrets/key-ring.ts'
import { mintKey, mintKeys } from '../../src/secrets/open-key-ring.ts'
import {
  readQrValue,
  isSecret,
  mintExchangeCode,
  mintJti,
  mintQrValue,
  mintRecordId,
  mintRequestId,
  mintSecret,
  mintSecretCode,
  mintSignInId,
  mintTrackingNo,
  randomNonce,
  secretFrom,
} from '../../src/secrets/tokens.ts'

const many = <T>(mint: () => T, count = 500) => Array.from({ length: count }, mint)
const ringOf = (minted: readonly RingKey[]) => createKeyRing(() => minted)
const newRing = () => ringOf(mintKeys())
const keys = newRing()

describe('forms', () => {
  const CROCKFORD = '[0-9A-HJKMNP-TV-Z]'
  test.each([
    ['secret code', mintSecretCode, /^twc_[0-9A-Za-z]{20}$/],
    ['live token', () => mintSecret('twt_live_'), /^twt_live_[0-9A-Za-z]{49}$/],
    ['partner secret of the sandbox', () => mintSecret('tws_test_'), /^tws_test_[0-9A-Za-z]{49}$/],
    ['exchange code', mintExchangeCode, new RegExp(`^twx_00${CROCKFORD}{7}[0-9A-Za-z]{40}$`)],
    ['id of an access token', mintJti, new RegExp(`^00${CROCKFORD}{7}[0-9A-Za-z]{34}$`)],
    ['QR value', mintQrValue, new RegExp(`^TWQ1${CROCKFORD}{7}00${CROCKFORD}{23}$`)],
    ['tracking number', mintTrackingNo, new RegExp(`^${CROCKFORD}{26}$`)],
    ['id of a request to sign in', mintSignInId, new RegExp(`^00${CROCKFORD}{24}$`)],
    ['request id', mintRequestId, /^req_[0-9A-HJKMNP-TV-Z]{7}[0-9A-Za-z]{15}$/],
  ])(
    '%s: has its prefix, alphabet and length, no duplicates, and uses every character',
    (_name, mint, form) => {
      const minted = many(mint, 2_000)
      for (const text of minted) expect(text).toMatch(form)
      expect(new Set(minted).size).toBe(minted.length)
      // A short or biased alphabet would show at any single position of the random part.
      expect(new Set(minted.map((text) => text.at(-10))).size).toBe(String(form).includes('A-Za-z') ? 62 : 32)
    },
  )

  test('every character is equally likely', () => {
    const text = many(() => mintSecret('').slice(0, 43), 5_000).join('')
    const share = text.replaceAll(/[^0-7]/g, '').length / text.length
    // The share is 0.129. If bytes were not discarded, it would be 0.156.
    // The standard deviation is below 0.001.
    expect(share).toBeGreaterThan(0.12)
    expect(share).toBeLessThan(0.14)
    // 0.0161. If one byte too many counted, it would be 0.0201. The standard deviation is below 0.0003.
    const shareOfFirst = text.replaceAll(/[^0]/g, '').length / text.length
    expect(shareOfFirst).toBeGreaterThan(0.0145)
    expect(shareOfFirst).toBeLessThan(0.018)
  })

  test('every byte of a nonce is random', () => {
    const nonces = many(() => randomNonce(12), 2_000)
    for (let index = 0; index < 12; index++)
      expect(new Set(nonces.map((nonce) => nonce[index])).size).toBeGreaterThan(240)
  })

  test('a record id is a positive safe integer, in no order', () => {
    const ids = many(mintRecordId)
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true)
    expect(ids).not.toEqual(ids.toSorted((a, b) => a - b))
  })

  test('the same bytes give the same secret', () => {
    const bytes = randomBytes(32)
    expect(secretFrom('twt_test_', bytes)).toBe(secretFrom('twt_test_', bytes))
    expect(isSecret('twt_test_', secretFrom('twt_test_', bytes))).toBe(true)
    // The largest number of 256 bits still fits into 43 characters.
    expect(secretFrom('', Buffer.alloc(32, 255))).toHaveLength(49)
  })
})

describe('checksum', () => {
  const secret = mintSecret('twx_')
  test('detects any single changed character at any position', () => {
    const replaced = Array.from(secret, (own, at) =>
      ['0', 'a', 'Z', '_', 'é']
        .filter((other) => other !== own)
        .map((other) => secret.slice(0, at) + other + secret.slice(at + 1)),
    ).flat()
    expect(replaced.filter((text) => isSecret('twx_', text))).toEqual([])
  })

  test('a shortened, extended, empty or wrongly prefixed text is not a secret', () => {
    for (const text of [
      secret.slice(0, -1),
      `${secret}0`,
      `${secret}\n`,
      ` ${secret}`,
      secret.toUpperCase(),
      '',
    ])
      expect(isSecret('twx_', text)).toBe(false)
    // Its checksum is correct.
    expect(isSecret('twx_', secretFrom('twx_0', randomBytes(32)))).toBe(false)
    expect(isSecret('twt_', secret)).toBe(false)
    expect(isSecret('twx_', secret)).toBe(true)
  })

  test('a QR value is read as it was issued, however a scanner gives it', () => {
    const qr = mintQrValue()
    for (const text of [qr, qr.toLowerCase(), `${qr}\r\n`, `${qr}\n`, `${qr}\t`, ` ${qr} `])
      expect(readQrValue(text)).toBe(qr)
    expect(readQrValue(`TWQ1${'0'.repeat(16)}${'1'.repeat(16)}`)).toBe(
      readQrValue(`twq1${'o0O0'.repeat(4)}${'iIlL'.repeat(4)}`),
    )
    for (const text of [
      `${qr}0`,
      qr.slice(1),
      `${qr} ${qr}`,
      qr.replace(/.$/, 'U'),
      qr.replace(/.$/, 'ſ'),
      '',
    ])
      expect(readQrValue(text)).toBeUndefined()
  })
})

describe('HMACs', () => {
  test('the HMAC of a value depends on its domain and on the key', () => {
    const domains: HmacDomain[] = [
      'secret_token',
      'partner_secret',
      'qr_value',
      'exchange_code',
      'access_token',
      'uniqid',
    ]
    const hmacs = domains.flatMap((domain) => [keys.hmac(domain, 'value'), newRing().hmac(domain, 'value')])
    expect(new Set(hmacs).size).toBe(12)
    for (const hmac of hmacs) expect(hmac).toMatch(/^[\w-]{36}\.[\w-]{43}$/)
  })

  test('moving a character between domain and value changes the HMAC', () => {
    expect(keys.hmac('qr_value', 'x')).not.toBe(keys.hmac('qr_value\0' as HmacDomain, 'x'))
    expect(keys.hmac('qr' as HmacDomain, '_valuex')).not.toBe(keys.hmac('qr_value', 'x'))
  })

  test.each([0, 1, 2])('with %i stored HMACs, an HMAC is found exactly if it is stored', (count) => {
    const stored = many(() => keys.hmac('secret_token', randomBytes(8).toString('hex')), count)
    for (const [at, hmac] of stored.entries()) {
      expect(findMatchingHmac([hmac], stored)).toEqual({ presented: 0, stored: at })
      expect(findMatchingHmac([keys.hmac('secret_token', 'another'), hmac], stored)).toEqual({
        presented: 1,
        stored: at,
      })
    }
    expect(findMatchingHmac([keys.hmac('secret_token', 'another')], stored)).toBeUndefined()
  })

  test('the padding of an empty slot matches no HMAC', () => {
    expect(findMatchingHmac([`-.${'-'.repeat(43)}`], [])).toBeUndefined()
    expect(findMatchingHmac([keys.hmac('secret_token', '')], [])).toBeUndefined()
  })

  test('an HMAC by a key whose kid has another length matches none', () => {
    expect(findMatchingHmac([keys.hmac('secret_token', '')], ['kid.hmac'])).toBeUndefined()
  })
})

test('a new key reads at once, and makes new values from `active_from` on', () => {
  vi.setSystemTime('2026-01-01T00:00:00Z')
  onTestFinished(() => void vi.useRealTimers())
  const old = mintKeys()
  const added: RingKey = { ...mintKey('pepper', new Date('2026-01-01T00:01:00Z')), kid: 'added' }
  const ring = ringOf([added, ...old])
  const kidsOf = (hmacs: string[]) => hmacs.map((hmac) => hmac.split('.')[0])
  const former = old.find(({ purpose }) => purpose === 'pepper')!.kid

  expect(kidsOf([ring.hmac('qr_value', 'x'), ...ring.hmacs('qr_value', 'x')])).toEqual([
    former,
    former,
    'added',
  ])
  vi.setSystemTime('2026-01-01T00:00:59.999Z')
  expect(ring.current('pepper').kid).toBe(former)
  vi.setSystemTime('2026-01-01T00:01:00Z')
  expect(ring.current('pepper').kid).toBe('added')
  expect(kidsOf(ring.hmacs('qr_value', 'x'))).toEqual(['added', former])
})
