// How the server compares HMACs, and in which place an encrypted value can be decrypted.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Schemas } from '@tiwala/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  dataKeyOf,
  decryptPassport,
  decryptProfile,
  decryptSnapshot,
  decryptUniqid,
  encryptCitizen,
  encryptSnapshot,
} from '../../src/citizens/citizen-encryption.ts'
import {
  mintDataKey,
  decrypt,
  decryptFromText,
  encryptToText,
  unwrapKey,
  wrapKey,
} from '../../src/secrets/encryption.ts'
import { createKeyRing, findMatchingHmac } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { webhookSecret } from '../../src/webhooks/webhook-secret.ts'

const minted = mintKeys()
const keys = createKeyRing(() => minted)

describe('comparing HMACs', () => {
  const [first, second, other] = ['first', 'second', 'other'].map((value) =>
    keys.hmac('secret_token', value),
  ) as [string, string, string]
  const lengths: number[] = []
  const original = crypto.timingSafeEqual

  /** Replaces the function of Node in every module that has imported it. */
  function replaceTimingSafeEqual(by: typeof original): void {
    crypto.timingSafeEqual = by
    syncBuiltinESMExports()
  }
  beforeAll(() =>
    replaceTimingSafeEqual((a, b) => {
      lengths.push(a.byteLength)
      return original(a, b)
    }),
  )
  afterAll(() => replaceTimingSafeEqual(original))

  test.each([
    ['none stored', [], undefined],
    ['one stored, a match', [first], 0],
    ['one stored, no match', [other], undefined],
    ['two stored, the first matches', [first, second], 0],
    ['two stored, the second matches', [second, first], 1],
    ['two stored, no match', [second, other], undefined],
  ])('%s: always the same number of constant-time comparisons, each of a whole HMAC', (_, stored, at) => {
    lengths.length = 0
    expect(
      findMatchingHmac([first, keys.hmac('secret_token', 'under an older pepper')], stored)?.stored,
    ).toBe(at)
    expect(lengths).toEqual(Array.from({ length: 4 }, () => first.length))
  })
})

describe('additional authenticated data', () => {
  const dataKey = mintDataKey()
  const places = [
    'citizen.profile 7',
    'citizen.profile 8',
    'citizen.passport 7',
    'authorization_record.snapshot 7',
    '',
  ]

  test.each(places)('a value that was encrypted for "%s" is decrypted there and nowhere else', (place) => {
    const sealed = encryptToText(dataKey, place, 'value')
    expect(decryptFromText(dataKey, place, sealed).toString()).toBe('value')
    for (const elsewhere of places.filter((other) => other !== place))
      expect(() => decryptFromText(dataKey, elsewhere, sealed)).toThrow('authenticate')
  })

  test('the data key of a citizen is unwrapped in its own row only', () => {
    const wrapped = wrapKey(keys, 'citizen.data_key 7', dataKey)
    expect(unwrapKey(keys, 'citizen.data_key 7', wrapped).equals(dataKey)).toBe(true)
    expect(() => unwrapKey(keys, 'citizen.data_key 8', wrapped)).toThrow('is not the one')
  })

  test('a value is not decrypted as another column, for another citizen, or for another record', () => {
    const subject = '00000000-0000-4000-8000-000000000007'
    const profile = { uniqid: 'value' } as Schemas['Profile']
    const citizen = encryptCitizen(keys, undefined, { profile, passport: null })
    expect(citizen.passport).toBeNull()
    const key = dataKeyOf(keys, citizen)
    expect(decryptProfile(key, citizen.subject, citizen.profile)).toEqual(profile)
    expect(decryptUniqid(key, citizen.subject, citizen.uniqid)).toBe('value')
    const snapshot = encryptSnapshot(key, 7, profile)
    expect(decryptSnapshot(key, 7, snapshot)).toEqual(profile)
    for (const moved of [
      () => decryptProfile(key, subject, citizen.profile),
      () => decryptPassport(key, citizen.subject, citizen.profile),
      () => decryptUniqid(key, citizen.subject, citizen.profile),
      () => decryptSnapshot(key, 7, citizen.profile),
      () => decryptProfile(key, citizen.subject, snapshot),
      () => decryptSnapshot(key, 8, snapshot),
      () => decryptUniqid(key, subject, citizen.uniqid),
      () => decryptProfile(key, citizen.subject, citizen.uniqid),
      () => dataKeyOf(keys, { ...citizen, subject }),
    ])
      expect(moved).toThrow(/authenticate|is not the one/)
  })
})

test('a value that is encrypted by a missing key gets an error that names the key', () => {
  const context = 'a column of a row'
  expect(() => unwrapKey(keys, context, 'k9.AAAA')).toThrow(
    "The key ring lacks the key k9, which wraps a citizen's data key. Add it back.",
  )
  expect(() => webhookSecret(keys, 'k9.salt')).toThrow(
    'The key ring lacks the key k9, from which a webhook secret is derived.',
  )
})

test('a value that another key with this kid has wrapped gets an error that names the key', () => {
  const context = 'a column of a row'
  const wrapped = wrapKey(keys, context, mintDataKey())
  const [kid = ''] = wrapped.split('.')
  const otherKeys = mintKeys().map((key) => (key.purpose === 'key-encryption' ? { ...key, kid } : key))
  expect(() =>
    unwrapKey(
      createKeyRing(() => otherKeys),
      context,
      wrapped,
    ),
  ).toThrow(
    expect.objectContaining({
      message: `The key ${kid} of the key ring is not the one that wrapped a citizen's data key. Restore it.`,
      cause: expect.any(Error) as Error,
    }),
  )
})

test('a value with a short tag is refused, even if the tag fits', () => {
  // GCM also has tags of 4 bytes, which can be guessed.
  for (const bytes of [4, 8, 12])
    expect(() => decrypt(mintDataKey(), 'a column of a row', Buffer.alloc(bytes))).toThrow(
      'Invalid authentication tag length',
    )
})
