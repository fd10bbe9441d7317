// Which keys a key ring accepts, in which order it holds them, and which one it uses.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createKeyRing, parseKeys, type RingKey } from '../../src/secrets/key-ring.ts'
import { mintKey, mintKeys } from '../../src/secrets/open-key-ring.ts'

const minted = mintKeys()
const audit = minted.find(({ purpose }) => purpose === 'audit')!
const publicHalf = (key: RingKey, kid: string): RingKey => {
  const { d: _, ...half } = key
  return { ...half, kid }
}

describe('the peppers of a ring', () => {
  const at = (hour: string) => `2026-01-01T${hour}:00:00.000Z`
  const pepper = (hour?: string): RingKey => {
    const { active_from: _, ...key } = mintKey('pepper', new Date(0))
    return hour ? { ...key, kid: hour, active_from: at(hour) } : { ...key, kid: 'first' }
  }
  const ring = () => {
    const keys = [pepper('13'), pepper(), pepper('14'), pepper('10')]
    return createKeyRing(() => keys)
  }
  const setTime = (time: string) => {
    vi.setSystemTime(time)
    onTestFinished(() => void vi.useRealTimers())
  }

  test('come with the newest active one first, and those that are not active yet last', () => {
    setTime(at('12'))
    expect(ring().list()).toEqual([
      { kid: '10', purpose: 'pepper', is_current: true, active_from: at('10') },
      { kid: 'first', purpose: 'pepper', is_current: false, active_from: null },
      { kid: '14', purpose: 'pepper', is_current: false, active_from: at('14') },
      { kid: '13', purpose: 'pepper', is_current: false, active_from: at('13') },
    ])
  })

  test('become current exactly at their times, one after the other', () => {
    setTime(at('12'))
    const keys = ring()
    const currentAt = (time: string) => {
      vi.setSystemTime(time)
      return keys.current('pepper').kid
    }
    expect(
      ['12:59:59.999', '13:00', '13:59:59.999', '14:00'].map((time) => currentAt(`2026-01-01T${time}Z`)),
    ).toEqual(['10', '13', '13', '14'])
  })

  test('are replaced when the file has other keys', () => {
    let keys = [pepper('10')]
    const replaced = createKeyRing(() => keys)
    expect(replaced.current('pepper').kid).toBe('10')
    keys = [pepper()]
    expect(replaced.current('pepper').kid).toBe('first')
  })
})

test('the newest private key signs the audit, and every public key verifies it', () => {
  const keys = [{ ...publicHalf(audit, 'public'), active_from: '2026-01-01T00:00:00Z' }, audit]
  const ring = createKeyRing(() => keys)
  expect(ring.auditKey()).toBe(audit)
  expect(ring.auditKeys()).toEqual(keys)
})

describe('a key ring', () => {
  const parse = (...more: object[]) => parseKeys(JSON.stringify({ keys: [...minted, ...more] }))
  const secret = (values: number) => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index % values))
    return { ...mintKey('webhook', new Date(0)), k: bytes.toString('base64url') }
  }

  test('ignores entries without a purpose or a kid', () => {
    const [{ kid, ...withoutKid }, { purpose: _, ...withoutPurpose }] = [secret(32), secret(32)]
    expect(parse(withoutKid, withoutPurpose, { ...withoutKid, kid })).toHaveLength(minted.length + 1)
  })

  test('has no issuer of the sandbox if it has no such key', () => {
    const live = minted.filter(({ purpose }) => purpose !== 'sandbox-issuer')
    expect(createKeyRing(() => live).sandboxIssuer()).toBeUndefined()
    expect(createKeyRing(() => minted).sandboxIssuer()).toBeDefined()
  })

  const TYPES: Record<string, object> = {
    EdDSA: { kty: 'OKP', crv: 'Ed25519' },
    ES256: { kty: 'EC', crv: 'P-256' },
    RS256: { kty: 'RSA', e: 'AQAB' },
  }
  test('has new keys of these types', () => {
    for (const key of minted)
      expect(key).toMatchObject(key.k ? { kty: 'oct', kid: key.kid } : TYPES[key.alg!]!)
  })

  test('accepts a public key of the audit', () => {
    expect(parse(publicHalf(audit, 'public'))).toHaveLength(minted.length + 1)
  })

  const { x } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })
  test.each([
    [
      'a damaged public key of the audit',
      { ...publicHalf(audit, 'damaged'), x: 'abcd' },
      'not an Ed25519 key',
    ],
    ['a public key of another curve', { ...publicHalf(audit, 'x'), crv: 'X25519', x }, 'not an Ed25519 key'],
    ['a key of 15 different bytes', secret(15), 'not random'],
    [
      'an id-token key of another algorithm',
      { ...audit, kid: 'id', purpose: 'id-token-es256' as const },
      'not a private key for ES256',
    ],
  ])('refuses %s', (_what, key, message) => {
    expect(() => parse(key)).toThrow(message)
  })

  test('refuses two keys for ID tokens with one kid, also of two algorithms', () => {
    const es256 = minted.find(({ purpose }) => purpose === 'id-token-es256')!
    const { kid } = minted.find(({ purpose }) => purpose === 'id-token-rs256')!
    expect(() => parse({ ...es256, kid })).toThrow(`Two keys that sign ID tokens have the kid ${kid}.`)
    expect(() => parse(es256)).toThrow(`Two keys that sign ID tokens have the kid ${es256.kid}.`)
    expect(parse({ ...es256, kid: 'next' }, { ...audit, kid })).toHaveLength(minted.length + 2)
  })

  test('accepts a key of 16 different bytes', () => {
    expect(parse(secret(16))).toHaveLength(minted.length + 1)
  })
})
