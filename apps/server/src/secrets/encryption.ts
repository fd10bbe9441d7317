// AES-256-GCM for everything that is stored encrypted, and for access tokens.
//
// An encrypted value is nonce (12 bytes), ciphertext, tag (16 bytes). The context says where the value
// belongs (table, column, row); it is authenticated as GCM's additional data and not stored. A value that is
// copied to another place therefore fails to decrypt.
//
// Data keys: each citizen has a random data key. It is stored wrapped, that is, encrypted with a
// key-encryption key of the key ring: `<kid>.<base64>`. The kid says which key unwraps it, so the
// key-encryption key can be rotated without encrypting profiles again.
//
// Example: `encryptToText(dataKey, 'citizen.profile 5f0c...', '{"uniqid":...}')` returns the text that is
// stored in `citizen.profile`.
//
// Guarantees: `decrypt` returns the original bytes or throws. It throws if the key, the context or any byte
// differs.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'
import { randomNonce } from './tokens.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Where an encrypted value belongs: table, column and row. */
export type EncryptionContext = string

/** Returns nonce, ciphertext and tag. */
export function encrypt(key: KeyObject, context: EncryptionContext, text: string | Buffer): Buffer {
  const nonce = randomNonce(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Throws unless the bytes were encrypted with this key and context, and are unchanged. */
export function decrypt(key: KeyObject, context: EncryptionContext, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(-TAG_BYTES))
  const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES))
  // GCM is a stream mode, so `final` returns no bytes. It throws if the tag does not match.
  decipher.final()
  return text
}

/** `encrypt` in base64, as stored in a column. */
export const encryptToText = (key: KeyObject, context: EncryptionContext, text: string | Buffer): string =>
  encrypt(key, context, text).toString('base64')

export const decryptFromText = (key: KeyObject, context: EncryptionContext, encrypted: string): Buffer =>
  decrypt(key, context, Buffer.from(encrypted, 'base64'))

/** A citizen's data key, wrapped by the current key-encryption key: `<kid>.<base64>`. */
export function wrapKey(keys: KeyRing, context: EncryptionContext, dataKey: KeyObject): string {
  const { kid, key } = keys.current('key-encryption')
  return `${kid}.${encryptToText(key, context, dataKey.export())}`
}

export function unwrapKey(keys: KeyRing, context: EncryptionContext, wrapped: string): KeyObject {
  const [kid, encrypted] = wrapped.split('.') as [string, string]
  const wrapping = keys.find('key-encryption', kid)
  if (!wrapping)
    throw new Error(`The key ring lacks the key ${kid}, which wraps a citizen's data key. Add it back.`)
  try {
    return createSecretKey(decryptFromText(wrapping.key, context, encrypted))
  } catch (cause) {
    throw new Error(
      `The key ${kid} of the key ring is not the one that wrapped a citizen's data key. Restore it.`,
      { cause },
    )
  }
}

export const mintDataKey = () => createSecretKey(randomBytes(32))
