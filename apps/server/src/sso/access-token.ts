import type { KeyObject, webcrypto } from 'node:crypto'
import { CompactEncrypt, errors, jwtDecrypt } from 'jose'
import { mintJti } from '../secrets/artefact.ts'
import type { KeyRing } from '../secrets/key-ring.ts'

const AUDIENCE = 'tiwala-sso'
const TYPE = 'tiwala-access+jwt'
/** Ours are under 400 characters; anything longer is junk. */
const LONGEST = 1_024

export type AccessToken = { jti: string; partnerId: number }

/** A compact JWE (RFC 7516), `dir` with `A256GCM`. It carries no citizen data; the database row is the authority on its one use and its life. */
export async function mintAccessToken(keys: KeyRing, partnerId: number): Promise<{ jti: string; accessToken: string }> {
  const jti = mintJti()
  const { kid, key } = keys.current('access-token')
  const claims = { partner: partnerId, jti, aud: AUDIENCE }
  const accessToken = await new CompactEncrypt(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, typ: TYPE })
    .encrypt(toCryptoKey(key))
  return { jti, accessToken }
}

const cryptoKeys = new WeakMap<KeyObject, webcrypto.CryptoKey>()

/** As Web Crypto has it: jose would make one of any other key, for each token. */
function toCryptoKey(key: KeyObject): webcrypto.CryptoKey {
  const known = cryptoKeys.get(key) ?? key.toCryptoKey({ name: 'AES-GCM' }, false, ['encrypt', 'decrypt'])
  cryptoKeys.set(key, known)
  return known
}

/** Cheap rejection of junk, before the database is asked. `undefined`: not one of ours. */
export async function openAccessToken(keys: KeyRing, token: string): Promise<AccessToken | undefined> {
  if (token.length > LONGEST) return undefined
  const findKey = ({ kid }: { kid?: string }) => {
    const found = keys.find('access-token', kid ?? '')
    if (!found) throw new errors.JWKSNoMatchingKey()
    return toCryptoKey(found.key)
  }
  try {
    const { payload } = await jwtDecrypt<{ partner: number }>(token, findKey, {
      audience: AUDIENCE,
      typ: TYPE,
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      // Ours are never compressed (RFC 7516, section 4.1.3).
      maxDecompressedLength: 0,
      requiredClaims: ['jti', 'partner'],
    })
    return { jti: payload.jti!, partnerId: payload.partner }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
