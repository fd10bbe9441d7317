// An access token is `twa_` and the base64url of: version (1 byte), length of the key id (1 byte), key id,
// nonce (12 bytes), ciphertext, tag (16 bytes). AES-256-GCM encrypts `<partner id>.<jti>`. The token contains
// no citizen data, and only the service decrypts it. The database row decides whether the token is valid.
// Decryption rejects other input without a query.
import { encrypt, decrypt } from '../secrets/encryption.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { mintJti } from '../secrets/tokens.ts'

export const SSO_SCOPE = 'SSO_AUTHENTICATION'

export const ACCESS_TOKEN_PREFIX = 'twa_'

const VERSION = 1

/** The longest token (key id of 64 characters, partner id of 16 digits) has 211 characters. */
const MAX_TOKEN_CHARACTERS = 256

const CONTENT = /^(\d{1,16})\.([0-9A-Za-z]{43})$/

export type AccessToken = { jti: string; partnerId: number }

/** The encryption context. It authenticates the bytes before the nonce, which are not encrypted. */
const contextOf = (kid: string) => `access_token ${VERSION} ${kid}`

export function mintAccessToken(keys: KeyRing, partnerId: number): { jti: string; accessToken: string } {
  const jti = mintJti()
  return { jti, accessToken: encryptAccessToken(keys, partnerId, jti) }
}

export function encryptAccessToken(keys: KeyRing, partnerId: number, jti: string): string {
  const { kid, key } = keys.current('access-token')
  const bytes = Buffer.concat([
    Buffer.from([VERSION, kid.length]),
    Buffer.from(kid),
    encrypt(key, contextOf(kid), `${partnerId}.${jti}`),
  ])
  return ACCESS_TOKEN_PREFIX + bytes.toString('base64url')
}

/** `undefined`: this service did not issue the token, or no longer has its key. */
export function decryptAccessToken(keys: KeyRing, token: string): AccessToken | undefined {
  if (token.length > MAX_TOKEN_CHARACTERS || !token.startsWith(ACCESS_TOKEN_PREFIX)) return undefined
  const text = token.slice(ACCESS_TOKEN_PREFIX.length)
  const bytes = Buffer.from(text, 'base64url')
  // The decoder ignores padding, unknown characters and unused bits. Only one spelling of a token is
  // accepted.
  if (bytes.toString('base64url') !== text || bytes[0] !== VERSION) return undefined
  const endOfKid = 2 + (bytes[1] ?? 0)
  const kid = bytes.toString('latin1', 2, endOfKid)
  const found = keys.find('access-token', kid)
  if (!found) return undefined
  const [, partnerId, jti] =
    CONTENT.exec(decryptText(found.key, contextOf(kid), bytes.subarray(endOfKid))) ?? []
  return jti === undefined ? undefined : { jti, partnerId: Number(partnerId) }
}

/** Empty if the bytes were changed, or encrypted with another key or context. */
function decryptText(...[key, context, encrypted]: Parameters<typeof decrypt>): string {
  try {
    return decrypt(key, context, encrypted).toString()
  } catch {
    return ''
  }
}
