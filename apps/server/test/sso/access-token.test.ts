import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encrypt, encryptToText, mintDataKey, wrapKey } from '../../src/secrets/encryption.ts'
import { createKeyRing, type RingKey } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { decryptAccessToken, mintAccessToken } from '../../src/sso/access-token.ts'

const ringOf = (minted: readonly RingKey[]) => createKeyRing(() => minted)
const newRing = () => ringOf(mintKeys())
const keys = newRing()

describe('access token', () => {
  const { kid, key } = keys.current('access-token')
  const PLACE = `access_token 1 ${kid}`
  const JTI = 'j'.repeat(43)
  type Forged = { key?: KeyObject; place?: string; content?: string; version?: number; kid?: string }
  /** A valid token, except for the given parts. */
  function forge(changes: Forged = {}) {
    const { version = 1, kid: id = kid, content = `7.${JTI}`, place = PLACE } = changes
    const header = Buffer.concat([Buffer.from([version, id.length]), Buffer.from(id)])
    return `twa_${Buffer.concat([header, encrypt(changes.key ?? key, place, content)]).toString('base64url')}`
  }
  const bytesOf = (token: string) => Buffer.from(token.slice(4), 'base64url')
  const isRefused = (token: string, ring = keys) => decryptAccessToken(ring, token) === undefined

  test('an issued token can be decrypted, is short, and shows neither partner nor id', () => {
    const { jti, accessToken } = mintAccessToken(keys, 7)
    expect(decryptAccessToken(keys, accessToken)).toEqual({ jti, partnerId: 7 })
    expect(accessToken).toMatch(/^twa_[A-Za-z0-9_-]{148}$/)
    expect(bytesOf(accessToken).toString('latin1')).not.toContain(jti)
    // Control: without a change the forged token is valid, so each refusal below has one reason.
    expect(decryptAccessToken(keys, forge())).toEqual({ jti: JTI, partnerId: 7 })
  })

  test('two tokens with the same content differ, and no token is longer than the contract allows', () => {
    expect(forge()).not.toBe(forge())
    const longest = ringOf(mintKeys().map((each) => ({ ...each, kid: 'k'.repeat(64) })))
    const { jti, accessToken } = mintAccessToken(longest, Number.MAX_SAFE_INTEGER)
    expect(decryptAccessToken(longest, accessToken)).toEqual({ jti, partnerId: Number.MAX_SAFE_INTEGER })
    expect(accessToken.length).toBeLessThanOrEqual(256)
  })

  test('a token with any changed bit is refused', () => {
    const bytes = bytesOf(forge())
    const accepted = [...bytes.keys()].flatMap((at) =>
      [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => {
        const changed = Buffer.from(bytes)
        changed[at]! ^= 1 << bit
        return !isRefused(`twa_${changed.toString('base64url')}`)
      }),
    )
    expect(accepted).toEqual([])
  })

  test('a shortened or extended token is refused', () => {
    const bytes = bytesOf(forge())
    const cut = [...bytes.keys()].map((length) => bytes.subarray(0, length))
    for (const changed of [...cut, Buffer.concat([bytes, Buffer.from([0])])])
      expect(isRefused(`twa_${changed.toString('base64url')}`)).toBe(true)
  })

  test('only one spelling of a token is accepted', () => {
    const tokens = [7, 77, 777].map((partnerId) => mintAccessToken(keys, partnerId).accessToken)
    const sameBytes = tokens.flatMap((token) =>
      Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
        .map((last) => token.slice(0, -1) + last)
        .filter((other) => other !== token && bytesOf(other).equals(bytesOf(token))),
    )
    const spellings = tokens.flatMap((token) => {
      const standard = `twa_${bytesOf(token).toString('base64')}`
      return [
        `${token}=`,
        `${token}==`,
        `${token}\n`,
        `${token}.`,
        `${token.slice(0, 9)} ${token.slice(9)}`,
        `${standard}=`,
        token.replace('twa_', 'TWA_'),
      ]
    })
    // One byte past a multiple of three leaves 15 other spellings of the last character; two bytes leave 3.
    expect(sameBytes).toHaveLength(18)
    for (const token of tokens) expect(isRefused(token)).toBe(false)
    expect([...sameBytes, ...spellings].filter((text) => !isRefused(text))).toEqual([])
  })

  test.each<[string, Forged]>([
    ['another version', { version: 2 }],
    ['an unknown key id', { kid: 'unknown', place: 'access_token 1 unknown' }],
    ['another key', { key: createSecretKey(randomBytes(32)) }],
    ['the place of a citizen column', { place: 'citizen.uniqid 7' }],
    ['the place of another version', { place: `access_token 2 ${kid}` }],
    ['no partner', { content: JTI }],
    ['no token id', { content: '7.' }],
    ['a shorter token id', { content: `7.${JTI.slice(1)}` }],
    ['text after the token id', { content: `7.${JTI}.` }],
    ['a partner id that is not a number', { content: `x.${JTI}` }],
  ])('a token with %s is refused', (_name, changes) => {
    expect(isRefused(forge(changes))).toBe(true)
  })

  test('a token with the id of another key is refused, even if both keys are equal', () => {
    const own = mintKeys().find(({ purpose }) => purpose === 'access-token')!
    const ring = ringOf([own, { ...own, kid: 'other' }])
    const tokenKey = ring.find('access-token', 'other')!.key
    expect(isRefused(forge({ key: tokenKey, kid: 'other', place: 'access_token 1 other' }), ring)).toBe(false)
    expect(isRefused(forge({ key: tokenKey, kid: 'other', place: `access_token 1 ${own.kid}` }), ring)).toBe(
      true,
    )
  })

  test('a key with another purpose cannot encrypt a token, even with the same id', () => {
    const ring = ringOf(mintKeys().map((each) => ({ ...each, kid: 'same' })))
    for (const purpose of ['key-encryption', 'pepper', 'webhook'] as const) {
      const forged = { kid: 'same', place: 'access_token 1 same', key: ring.current(purpose).key }
      expect(isRefused(forge(forged), ring)).toBe(true)
    }
    expect(
      isRefused(
        forge({ kid: 'same', place: 'access_token 1 same', key: ring.current('access-token').key }),
        ring,
      ),
    ).toBe(false)
  })

  test('an encrypted citizen column and a wrapped key are not tokens', () => {
    const dataKey = mintDataKey()
    const texts = [
      encryptToText(dataKey, 'citizen.uniqid 7', `7.${JTI}`),
      wrapKey(keys, 'citizen.data_key 7', dataKey),
    ]
    for (const text of texts)
      for (const bytes of [
        Buffer.from(text, 'base64'),
        Buffer.concat([Buffer.from([1, 36]), Buffer.from(kid), Buffer.from(text, 'base64')]),
      ])
        expect(isRefused(`twa_${bytes.toString('base64url')}`)).toBe(true)
  })

  test('a token that is longer than any issued token is refused, even if it is authentic', () => {
    const id = 'k'.repeat(120)
    const ring = ringOf(mintKeys().map((each) => ({ ...each, kid: id })))
    expect(
      isRefused(
        forge({ kid: id, place: `access_token 1 ${id}`, key: ring.current('access-token').key }),
        ring,
      ),
    ).toBe(true)
  })

  test.each(['', 'twa_', 'twa_AQ', 'twa_Af8', 'a.b.c.d.e', 'x'.repeat(250)])('%j is refused', (text) => {
    expect(isRefused(text)).toBe(true)
  })
})
