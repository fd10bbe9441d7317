import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'
import { randomNonce } from './tokens.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Where a sealed value stands (table, column, row). It opens nowhere else. */
export type Place = string

/** AES-256-GCM: nonce, ciphertext and tag. */
export function encrypt(key: KeyObject, place: Place, text: string | Buffer): Buffer {
  const nonce = randomNonce(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Throws unless the bytes were encrypted by this key for this place, and are unchanged. */
export function decrypt(key: KeyObject, place: Place, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(place)).setAuthTag(encrypted.subarray(-TAG_BYTES))
  const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES))
  // GCM holds no block back, so `final` returns nothing. It throws if the tag does not match.
  decipher.final()
  return text
}

/** `encrypt` in base64, as stored in a column. */
export const seal = (key: KeyObject, place: Place, text: string | Buffer): string => encrypt(key, place, text).toString('base64')

export const open = (key: KeyObject, place: Place, sealed: string): Buffer => decrypt(key, place, Buffer.from(sealed, 'base64'))

/** A citizen's own key, wrapped by the current key-encryption key: `<kid>.<sealed>`. */
export function wrapKey(keys: KeyRing, place: Place, dataKey: KeyObject): string {
  const { kid, key } = keys.current('key-encryption')
  return `${kid}.${seal(key, place, dataKey.export())}`
}

export function unwrapKey(keys: KeyRing, place: Place, wrapped: string): KeyObject {
  const [kid, sealed] = wrapped.split('.') as [string, string]
  const wrapping = keys.find('key-encryption', kid)
  if (!wrapping) throw new Error(`The key ring lacks the key ${kid}, by which a citizen's key is wrapped.`)
  try {
    return createSecretKey(open(wrapping.key, place, sealed))
  } catch (cause) {
    throw new Error(`The key ${kid} of the key ring is not the one by which a citizen's key was wrapped.`, { cause })
  }
}

export const mintDataKey = () => createSecretKey(randomBytes(32))
