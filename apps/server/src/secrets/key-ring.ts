import { createHmac, generateKeyPairSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JWK } from 'jose'

/** What a keyed hash is of. Part of the hashed text, so that one kind of artefact can never pass as another. */
export type MacDomain = 'secret_token' | 'partner_secret' | 'qr_value' | 'exchange_code' | 'access_token' | 'sandbox'

/** Our keys, outside the database: a JWK set (RFC 7517) whose keys carry a `purpose`. */
export type KeyRing = {
  /** HMAC-SHA-256 with the pepper, base64url: how secrets and one-time artefacts are stored. */
  mac(domain: MacDomain, value: string): string
  /** Encrypts access tokens. */
  accessToken: { kid: string; key: Uint8Array }
  /** Signs the sandbox's own identity tokens; absent in live. */
  sandboxIssuer?: JWK
}

type RingKey = JWK & { kid: string; purpose: 'pepper' | 'access-token' | 'sandbox-issuer' }

export function openKeyRing(json: string): KeyRing {
  const keys = parseKeys(json)
  const pepper = octets(keys, 'pepper')
  const accessToken = octets(keys, 'access-token')
  const sandboxIssuer = keys.find((key) => key.purpose === 'sandbox-issuer')
  return {
    mac: (domain, value) => createHmac('sha256', pepper.key).update(`${domain}\0${value}`).digest('base64url'),
    accessToken,
    ...(sandboxIssuer && { sandboxIssuer }),
  }
}

/** The sandbox's key ring: a file in the data folder, made at the first start. */
export async function openSandboxKeyRing(dataDir: string): Promise<KeyRing> {
  const file = join(dataDir, 'keys.json')
  const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT'
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => (isMissing(error) ? undefined : Promise.reject(error)))
  if (kept !== undefined) return openKeyRing(kept)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Linked into place whole: neither a crash nor a second process can leave or meet half a file.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ keys: mintKeys() }, null, 2), { mode: 0o600, flush: true })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
  await unlink(draft)
  return openKeyRing(await readFile(file, 'utf8'))
}

/** Always two comparisons of fixed-length values, whether there are none, one or two stored, so that time tells nothing. */
export function matchesMac(presented: string, stored: readonly string[]): boolean {
  const blank = '-'.repeat(presented.length)
  const equal = [stored[0] ?? blank, stored[1] ?? blank].map((mac) => timingSafeEqual(Buffer.from(mac), Buffer.from(presented)))
  return equal.includes(true)
}

export function mintKeys(): RingKey[] {
  const oct = (purpose: 'pepper' | 'access-token'): RingKey => ({
    kty: 'oct',
    kid: `${purpose}-1`,
    purpose,
    k: randomBytes(32).toString('base64url'),
  })
  const issuer = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK
  return [oct('pepper'), oct('access-token'), { ...issuer, kid: 'sandbox-issuer-1', alg: 'EdDSA', purpose: 'sandbox-issuer' }]
}

function parseKeys(json: string): RingKey[] {
  try {
    const { keys } = JSON.parse(json) as { keys: RingKey[] }
    return keys.filter((key) => key.purpose && key.kid)
  } catch {
    // The parser's own message would quote the keys.
    throw new Error('The key ring is not a JWK set: expected {"keys": [...]}, each with kid and purpose.')
  }
}

function octets(keys: RingKey[], purpose: RingKey['purpose']): { kid: string; key: Uint8Array } {
  const found = keys.find((key) => key.purpose === purpose)
  const key = Buffer.from(found?.k ?? '', 'base64url')
  if (!found || key.length !== 32) throw new Error(`The key ring lacks a 256-bit key with the purpose "${purpose}".`)
  return { kid: found.kid, key }
}
