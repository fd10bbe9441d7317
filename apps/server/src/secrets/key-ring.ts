import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { JWK } from 'jose'

/** What a keyed hash is of. Part of the hashed text, so that one kind of artefact can never pass as another. */
export type HmacDomain = 'secret_token' | 'partner_secret' | 'qr_value' | 'exchange_code' | 'access_token' | 'uniqid'

/**
 * `pepper` hashes secrets and names; `access-token` encrypts those tokens; `key-encryption` wraps the citizens' own keys;
 * `webhook` derives the partners' webhook secrets; `sandbox` derives the sandbox partner's secrets; `sandbox-issuer` signs its identity tokens;
 * `audit` signs the checkpoints of the audit.
 */
export const PURPOSES = ['pepper', 'access-token', 'key-encryption', 'webhook', 'audit'] as const
export type Purpose = (typeof PURPOSES)[number] | 'sandbox' | 'sandbox-issuer'
/** A private and a public key (Ed25519); the others are 256 bits. */
export const PAIRS: ReadonlySet<Purpose> = new Set(['audit', 'sandbox-issuer'])

/** A JWK (RFC 7517) with a `purpose`, and the moment from which it is the one that new things are made with. */
export type RingKey = JWK & { kid: string; purpose: Purpose; active_from?: string }

/** As an object that OpenSSL keeps: handing it bytes each time costs several times what the hash does. */
export type Key = { kid: string; key: KeyObject }

/** 32 bytes that follow from a key and a name, and tell nothing of the key. */
export const derive = (key: Key, domain: string, name: string): Buffer => createKeyedHash(key, domain, name).digest()

const createKeyedHash = ({ key }: Key, domain: string, name: string) => createHmac('sha256', key).update(`${domain}\0${name}`)

/** Our keys, outside the database. Of each purpose the newest active key makes new things; all of them read old ones. */
export type KeyRing = {
  /** HMAC-SHA-256 with the current pepper, `<kid>.<base64url>`: how secrets and one-time artefacts are stored. */
  hmac(domain: HmacDomain, value: string): string
  /** The same under every pepper, the current one first: how they are found. */
  hmacs(domain: HmacDomain, value: string): string[]
  current(purpose: Purpose): Key
  find(purpose: Purpose, kid: string): Key | undefined
  /** Signs the sandbox's own identity tokens; absent in live. */
  sandboxIssuer(): JWK | undefined
  /** Signs checkpoints of the audit. */
  auditKey(): RingKey
  /** Whatever has signed them, or will; of a retired key the public half is enough. */
  auditKeys(): RingKey[]
  /** What is there, without the keys: by purpose, the current one first. */
  list(): { kid: string; purpose: string; is_current: boolean; active_from: string | null }[]
}

/** A ring over keys that may be exchanged while it is in use. */
export function createKeyRing(keysNow: () => readonly RingKey[]): KeyRing {
  let sorted = sort(keysNow())

  /** Newest first; what is not active yet comes last. */
  function of(purpose: Purpose): SortedKey[] {
    const given = keysNow()
    if (sorted.given !== given || Date.now() >= sorted.untilMs) sorted = sort(given)
    return sorted.keys.get(purpose) ?? []
  }
  const hmacBy = (key: Key, domain: HmacDomain, value: string) => `${key.kid}.${createKeyedHash(key, domain, value).digest('base64url')}`

  return {
    hmac: (domain, value) => hmacBy(of('pepper')[0]!, domain, value),
    hmacs: (domain, value) => of('pepper').map((key) => hmacBy(key, domain, value)),
    current: (purpose) => of(purpose)[0]!,
    find: (purpose, kid) => of(purpose).find((key) => key.kid === kid),
    sandboxIssuer: () => of('sandbox-issuer')[0]?.jwk,
    auditKey: () => of('audit').find(({ jwk }) => jwk.d)!.jwk,
    auditKeys: () => of('audit').map(({ jwk }) => jwk),
    list: () =>
      [...new Set(keysNow().map(({ purpose }) => purpose))].flatMap((purpose) =>
        of(purpose).map(({ kid, jwk }, place) => ({ kid, purpose, is_current: place === 0, active_from: jwk.active_from ?? null })),
      ),
  }
}

type SortedKey = Key & { jwk: RingKey }
type Sorted = { given: readonly RingKey[]; untilMs: number; keys: Map<Purpose, SortedKey[]> }

/** The order of the keys, which holds until the next of them becomes active. */
function sort(given: readonly RingKey[]): Sorted {
  const sinceMs = ({ active_from }: RingKey) => (active_from ? Date.parse(active_from) : 0)
  const nowMs = Date.now()
  const isActive = (key: RingKey) => sinceMs(key) <= nowMs
  const ordered = given.toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)) || sinceMs(b) - sinceMs(a))
  return {
    given,
    untilMs: Math.min(...given.filter((key) => !isActive(key)).map(sinceMs)),
    keys: Map.groupBy(
      ordered.map((jwk) => ({ kid: jwk.kid, key: createSecretKey(jwk.k ?? '', 'base64url'), jwk })),
      ({ jwk }) => jwk.purpose,
    ),
  }
}

/** The keys of a JWK set. Whatever is wrong with them is told without quoting them. */
export function parseKeys(json: string, alsoNeeded: readonly Purpose[] = []): RingKey[] {
  const keys = readSet(json)
  for (const key of keys) {
    if (!/^[\w-]{1,64}$/.test(key.kid))
      throw new Error('A key of the key ring has a kid of other characters than letters, digits, - and _.')
    if (key.purpose === 'audit' && !(key.kty === 'OKP' && key.crv === 'Ed25519' && key.x))
      throw new Error(`The key ${key.kid} of the key ring is not an Ed25519 key.`)
    if (!PAIRS.has(key.purpose) && Buffer.from(key.k ?? '', 'base64url').length !== 32)
      throw new Error(`The key ${key.kid} of the key ring is not of 256 bits.`)
    if (key.active_from !== undefined && Number.isNaN(Date.parse(key.active_from)))
      throw new Error(`active_from of the key ${key.kid} is no time.`)
  }
  for (const purpose of [...PURPOSES, ...alsoNeeded]) {
    const kids = keys.filter((key) => key.purpose === purpose).map(({ kid }) => kid)
    if (!kids.length) throw new Error(`The key ring lacks a ${PAIRS.has(purpose) ? 'pair' : '256-bit key'} with the purpose "${purpose}".`)
    if (new Set(kids).size < kids.length) throw new Error(`Two keys with the purpose "${purpose}" have the same kid.`)
  }
  if (!keys.some(({ purpose, d }) => purpose === 'audit' && d))
    throw new Error('The key ring lacks a private key with the purpose "audit".')
  return keys
}

function readSet(json: string): RingKey[] {
  try {
    const { keys } = JSON.parse(json) as { keys: RingKey[] }
    return keys.filter((key) => key.purpose && key.kid)
  } catch {
    // The parser's own message would quote the keys.
    throw new Error('The key ring is not a JWK set: expected {"keys": [...]}, each with kid and purpose.')
  }
}

/**
 * Where a presented hash equals a stored one: the position of each. `presented` holds the hash under every pepper. The number of
 * comparisons is the same whether none, one or two hashes are stored, and whether one matches, so that the time says nothing.
 */
export function findMatchingHmac(
  presented: readonly string[],
  stored: readonly string[],
): { presented: number; stored: number } | undefined {
  const given = presented.map((mac) => Buffer.from(mac))
  const blank = '-'.repeat(presented[0]!.length)
  const matches = [stored[0] ?? blank, stored[1] ?? blank].map((mac) => {
    const known = Buffer.from(mac)
    // The length depends on the name of the key only, which is not secret.
    return given.map((each) => each.length === known.length && timingSafeEqual(each, known)).indexOf(true)
  })
  const found = matches.findIndex((at) => at >= 0)
  return found >= 0 && found < stored.length ? { presented: matches[found]!, stored: found } : undefined
}
