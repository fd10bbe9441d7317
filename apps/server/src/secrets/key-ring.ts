// The key ring: all keys of the service, as a JWK set outside the database. Each key has a purpose and a kid.
//
// States of a key: not active yet (`active_from` is in the future), current (the newest active key of its
// purpose), old. The current key makes new values. Every key of the purpose, also a key that is not active
// yet, reads and checks values.
//
// Example of a rotation: the operator adds a second pepper with `active_from` in one minute. All processes
// load it within a second. After one minute new HMACs are made with it, while a presented secret is looked up
// under both peppers. When no stored value needs the old pepper (`listKeys`), the operator removes it.
//
// Guarantees: a stored value names its key by the kid, so it can always be assigned. Error messages never
// quote a key. Comparing a presented secret takes the same time whether it matches or not.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import type { JWK } from 'jose'
import { KEYS_COMMAND } from '../program.ts'
import { parseJsonText } from './parse-json-text.ts'

/**
 * The kind of value that is hashed. It is part of the hashed text, so that one kind of secret can never pass
 * as another.
 */
export type HmacDomain =
  | 'secret_token'
  | 'partner_secret'
  | 'qr_value'
  | 'exchange_code'
  | 'access_token'
  | 'uniqid'
  | 'sign_in'
  | 'oidc_state'
  | 'idempotency_key'
  | 'session'
  | 'operator_session'
  | 'csrf'
  | 'staff_sign_in'

/**
 * `pepper` hashes secrets and uniqids; `access-token` encrypts access tokens; `key-encryption` wraps the
 * citizens' data keys; `webhook` derives the partners' webhook secrets; `audit` signs the checkpoints of the
 * audit; `sandbox` derives the sandbox partner's secrets; `sandbox-issuer` signs the sandbox's identity
 * tokens.
 */
export const PURPOSES = ['pepper', 'access-token', 'key-encryption', 'webhook', 'audit'] as const
/**
 * Without all three, the service has no OpenID Connect sign-in: rings of earlier versions lack them. `id-token-...`
 * sign ID tokens; `sign-in` derives the `sub` of a citizen at a partner, cookies and QR codes, and is never rotated.
 */
export const SIGN_IN_PURPOSES = ['id-token-es256', 'id-token-rs256', 'sign-in'] as const
export type Purpose =
  | (typeof PURPOSES)[number]
  | (typeof SIGN_IN_PURPOSES)[number]
  | 'sandbox'
  | 'sandbox-issuer'
/** Purposes whose keys are key pairs, and their algorithms (RFC 7518). The other keys are 256 random bits. */
export const PAIRS: ReadonlyMap<Purpose, string> = new Map<Purpose, string>([
  ['audit', 'EdDSA'],
  ['sandbox-issuer', 'EdDSA'],
  ['id-token-es256', 'ES256'],
  ['id-token-rs256', 'RS256'],
])

/** A JWK (RFC 7517) with a purpose. New values are made with it from `active_from` on. */
export type RingKey = JWK & { kid: string; purpose: Purpose; active_from?: string }

/**
 * A `KeyObject`, not bytes: passing bytes to OpenSSL each time costs several times what the hash itself does.
 */
export type Key = { kid: string; key: KeyObject }

/** Derives 32 bytes from a key and a name. They reveal nothing of the key. */
export const derive = (key: Key, domain: string, name: string): Buffer =>
  createKeyedHash(key, domain, name).digest()

const createKeyedHash = ({ key }: Key, domain: string, name: string) =>
  createHmac('sha256', key).update(`${domain}\0${name}`)

export type KeyRing = {
  /**
   * HMAC-SHA-256 with the current pepper, `<kid>.<base64url>`: secrets, codes, tokens and QR values are
   * stored in this form.
   */
  hmac(domain: HmacDomain, value: string): string
  /** The same with every pepper, the current one first: a presented value is looked up under all of them. */
  hmacs(domain: HmacDomain, value: string): string[]
  current(purpose: Purpose): Key
  find(purpose: Purpose, kid: string): Key | undefined
  /** Signs the sandbox's identity tokens. `undefined` in the live environment. */
  sandboxIssuer(): JWK | undefined
  /** The private key that signs checkpoints of the audit. */
  auditKey(): RingKey
  /** All keys that sign or have signed checkpoints. A retired key needs only its public half. */
  auditKeys(): RingKey[]
  /** The private keys that sign ID tokens, the current one of each algorithm first. Empty: there is no sign-in. */
  idTokenKeys(): RingKey[]
  /** The names of all keys, by purpose, the current one first. */
  list(): { kid: string; purpose: string; is_current: boolean; active_from: string | null }[]
}

/**
 * `currentKeys` is read at each use: a changed key file takes effect without a restart. `onCurrent`: another
 * key has become the current one of its purpose.
 */
export function createKeyRing(
  currentKeys: () => readonly RingKey[],
  onCurrent: (key: Pick<RingKey, 'kid' | 'purpose'>) => void = () => {},
): KeyRing {
  let sorted = sort(currentKeys())

  /** Newest first; keys that are not active yet come last. */
  function keysOf(purpose: Purpose): SortedKey[] {
    const ringKeys = currentKeys()
    if (sorted.ringKeys !== ringKeys || Date.now() >= sorted.untilMs) {
      const before = sorted
      sorted = sort(ringKeys)
      for (const [each, [{ kid } = { kid: '' }]] of sorted.keys)
        if (before.keys.get(each)?.[0]?.kid !== kid) onCurrent({ kid, purpose: each })
    }
    return sorted.keys.get(purpose) ?? []
  }
  const hmacBy = (key: Key, domain: HmacDomain, value: string) =>
    `${key.kid}.${createKeyedHash(key, domain, value).digest('base64url')}`

  return {
    hmac: (domain, value) => hmacBy(keysOf('pepper')[0]!, domain, value),
    hmacs: (domain, value) => keysOf('pepper').map((key) => hmacBy(key, domain, value)),
    current: (purpose) => keysOf(purpose)[0]!,
    find: (purpose, kid) => keysOf(purpose).find((key) => key.kid === kid),
    sandboxIssuer: () => keysOf('sandbox-issuer')[0]?.jwk,
    auditKey: () => keysOf('audit').find(({ jwk }) => jwk.d)!.jwk,
    auditKeys: () => keysOf('audit').map(({ jwk }) => jwk),
    idTokenKeys: () =>
      SIGN_IN_PURPOSES.every((purpose) => keysOf(purpose).length > 0)
        ? [...keysOf('id-token-es256'), ...keysOf('id-token-rs256')].map(({ jwk }) => jwk)
        : [],
    list: () =>
      [...new Set(currentKeys().map(({ purpose }) => purpose))].flatMap((purpose) =>
        keysOf(purpose).map(({ kid, jwk }, index) => ({
          kid,
          purpose,
          is_current: index === 0,
          active_from: jwk.active_from ?? null,
        })),
      ),
  }
}

type SortedKey = Key & { jwk: RingKey }
type Sorted = { ringKeys: readonly RingKey[]; untilMs: number; keys: Map<Purpose, SortedKey[]> }

/** The order of the keys, which is valid until the next key becomes active. */
function sort(ringKeys: readonly RingKey[]): Sorted {
  const sinceMs = ({ active_from }: RingKey) => (active_from ? Date.parse(active_from) : 0)
  const nowMs = Date.now()
  const isActive = (key: RingKey) => sinceMs(key) <= nowMs
  const ordered = ringKeys.toSorted(
    (a, b) => Number(isActive(b)) - Number(isActive(a)) || sinceMs(b) - sinceMs(a),
  )
  return {
    ringKeys,
    untilMs: Math.min(...ringKeys.filter((key) => !isActive(key)).map(sinceMs)),
    keys: Map.groupBy(
      ordered.map((jwk) => ({ kid: jwk.kid, key: createSecretKey(jwk.k ?? '', 'base64url'), jwk })),
      ({ jwk }) => jwk.purpose,
    ),
  }
}

/** Parses a JWK set. Errors name a key by its kid and never quote it. */
export function parseKeys(json: string | Uint8Array, alsoNeeded: readonly Purpose[] = []): RingKey[] {
  const keys = readSet(json)
  for (const key of keys) {
    if (!/^[\w-]{1,64}$/.test(key.kid))
      throw new Error('A key of the key ring has an invalid kid. Use 1 to 64 letters, digits, - and _.')
    if (key.purpose === 'audit' && !isPair(key))
      throw new Error(
        `The key ${key.kid} of the key ring is not an Ed25519 key. Create it with: ${KEYS_COMMAND} add`,
      )
    if (key.purpose.startsWith('id-token-') && !canSign(key))
      throw new Error(
        `The key ${key.kid} of the key ring is not a private key for ${PAIRS.get(key.purpose)}. ` +
          `Create it with: ${KEYS_COMMAND} add`,
      )
    if (isGuessable(key))
      throw new Error(`The key ${key.kid} of the key ring is not random. Create it with: ${KEYS_COMMAND} add`)
    if (!PAIRS.has(key.purpose) && Buffer.from(key.k ?? '', 'base64url').length !== 32)
      throw new Error(
        `The key ${key.kid} of the key ring is not a key of 256 bits. Create it with: ${KEYS_COMMAND} add`,
      )
    if (key.active_from !== undefined && Number.isNaN(Date.parse(key.active_from)))
      throw new Error(
        `active_from of the key ${key.kid} is not a time. Use a form such as 2026-01-31T12:00:00Z.`,
      )
  }
  for (const purpose of [...PURPOSES, ...alsoNeeded]) {
    const kids = keys.filter((key) => key.purpose === purpose).map(({ kid }) => kid)
    if (!kids.length)
      throw new Error(
        `The key ring lacks a ${PAIRS.has(purpose) ? 'pair' : '256-bit key'} with the purpose "${purpose}".`,
      )
    if (new Set(kids).size < kids.length)
      throw new Error(`Two keys with the purpose "${purpose}" have the same kid.`)
  }
  // They are published as one JWK set.
  const signing = keys.filter(({ purpose }) => purpose.startsWith('id-token-')).map(({ kid }) => kid)
  const repeated = signing.find((kid, index) => signing.indexOf(kid) < index)
  if (repeated !== undefined)
    throw new Error(`Two keys that sign ID tokens have the kid ${repeated}. Remove one of them.`)
  if (!keys.some(({ purpose, d }) => purpose === 'audit' && d))
    throw new Error('The key ring lacks a private key with the purpose "audit".')
  return keys
}

/** A public key, or a private key with its own public half. */
function isPair({ kty, crv, x = '', d }: RingKey): boolean {
  try {
    const jwk = { kty: kty!, crv: crv!, x }
    const { x: ofPrivate } = d === undefined ? jwk : derivePublic({ ...jwk, d })
    return (
      crv === 'Ed25519' && createPublicKey({ key: jwk, format: 'jwk' }).type === 'public' && ofPrivate === x
    )
  } catch {
    return false
  }
}

function canSign(key: RingKey): boolean {
  const { alg } = key
  if (alg !== PAIRS.get(key.purpose)) return false
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey({
      key,
      format: 'jwk',
    })
    return alg === 'RS256'
      ? asymmetricKeyType === 'rsa' && asymmetricKeyDetails!.modulusLength! >= 2048
      : asymmetricKeyType === 'ec' && key.crv === 'P-256'
  } catch {
    return false
  }
}

const derivePublic = (jwk: JsonWebKey) =>
  createPublicKey(createPrivateKey({ key: jwk, format: 'jwk' })).export({ format: 'jwk' })

/** 32 random bytes have about 30 different values. A text or a repeated pattern has far fewer. */
const isGuessable = ({ k = '' }: RingKey): boolean => {
  const bytes = Buffer.from(k, 'base64url')
  return bytes.length === 32 && new Set(bytes).size < 16
}

function readSet(json: string | Uint8Array): RingKey[] {
  try {
    const { keys } = parseJsonText(json) as { keys: RingKey[] }
    return keys.filter((key) => key.purpose && key.kid)
  } catch {
    // The parser's own message would quote the keys.
    throw new Error(
      'The key ring is not a JWK set: expected {"keys": [...]}, each with kid and purpose. ' +
        `Create one with: ${KEYS_COMMAND} init`,
    )
  }
}

/**
 * The indexes at which a presented HMAC equals a stored one. `presented` contains the HMAC with every pepper.
 * The number of comparisons is the same whether zero, one or two HMACs are stored, and whether one matches,
 * so that the time reveals nothing.
 */
export function findMatchingHmac(
  presented: readonly string[],
  stored: readonly string[],
): { presented: number; stored: number } | undefined {
  const presentedBytes = presented.map((hmac) => Buffer.from(hmac))
  // No HMAC equals it: each contains a dot.
  const blank = '-'.repeat(presented[0]!.length)
  const matches = [stored[0] ?? blank, stored[1] ?? blank].map((hmac) => {
    const storedBytes = Buffer.from(hmac)
    // The length depends only on the kid of the key, which is not secret.
    return presentedBytes
      .map((each) => each.length === storedBytes.length && timingSafeEqual(each, storedBytes))
      .indexOf(true)
  })
  const found = matches.findIndex((index) => index >= 0)
  return found >= 0 ? { presented: matches[found]!, stored: found } : undefined
}
