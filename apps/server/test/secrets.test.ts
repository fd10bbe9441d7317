// How hashes of secrets are compared, and where encrypted values open.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Schemas } from '@tiwala/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataKeyOf, openPassport, openProfile, openSnapshot, openUniqid, sealCitizen, sealSnapshot } from '../src/citizens/sealed.ts'
import { createKeyRing, matchingMac } from '../src/secrets/key-ring.ts'
import { mintKeys } from '../src/secrets/open-key-ring.ts'
import { mintDataKey, open, seal, unwrapKey, wrapKey } from '../src/secrets/seal.ts'

const minted = mintKeys()
const keys = createKeyRing(() => minted)

describe('comparing hashes', () => {
  const [first, second, other] = ['first', 'second', 'other'].map((value) => keys.mac('secret_token', value)) as [string, string, string]
  const lengths: number[] = []
  const original = crypto.timingSafeEqual

  /** Replaces Node's function in every module that has imported it. */
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
  ])('%s: as many comparisons in constant time as ever, each of a whole hash', (_, stored, at) => {
    lengths.length = 0
    expect(matchingMac([first, keys.mac('secret_token', 'under an older pepper')], stored)?.stored).toBe(at)
    expect(lengths).toEqual(Array.from({ length: 4 }, () => first.length))
  })
})

describe('additional data', () => {
  const dataKey = mintDataKey()
  const places = ['citizen.profile 7', 'citizen.profile 8', 'citizen.passport 7', 'authorization_record.snapshot 7', '']

  test.each(places)('a value that was encrypted for "%s" opens there and nowhere else', (place) => {
    const sealed = seal(dataKey, place, 'value')
    expect(open(dataKey, place, sealed).toString()).toBe('value')
    for (const elsewhere of places.filter((other) => other !== place))
      expect(() => open(dataKey, elsewhere, sealed)).toThrow('authenticate')
  })

  test("a citizen's key opens in its own row only", () => {
    const wrapped = wrapKey(keys, 'citizen.data_key 7', dataKey)
    expect(unwrapKey(keys, 'citizen.data_key 7', wrapped).equals(dataKey)).toBe(true)
    expect(() => unwrapKey(keys, 'citizen.data_key 8', wrapped)).toThrow('is not the one')
  })

  test("no column of a citizen's opens as another column, for another citizen, or as a snapshot; nor a snapshot for another record", () => {
    const subject = '00000000-0000-4000-8000-000000000007'
    const profile = { uniqid: 'value' } as Schemas['Profile']
    const citizen = sealCitizen(keys, undefined, { profile, passport: null })
    const key = dataKeyOf(keys, citizen)
    expect(openProfile(key, citizen.subject, citizen.profile)).toEqual(profile)
    expect(openUniqid(key, citizen.subject, citizen.uniqid)).toBe('value')
    const snapshot = sealSnapshot(key, 7, profile)
    expect(openSnapshot(key, 7, snapshot)).toEqual(profile)
    for (const moved of [
      () => openProfile(key, subject, citizen.profile),
      () => openPassport(key, citizen.subject, citizen.profile),
      () => openUniqid(key, citizen.subject, citizen.profile),
      () => openSnapshot(key, 7, citizen.profile),
      () => openProfile(key, citizen.subject, snapshot),
      () => openSnapshot(key, 8, snapshot),
      () => openUniqid(key, subject, citizen.uniqid),
      () => openProfile(key, citizen.subject, citizen.uniqid),
      () => dataKeyOf(keys, { ...citizen, subject }),
    ])
      expect(moved).toThrow(/authenticate|is not the one/)
  })
})
