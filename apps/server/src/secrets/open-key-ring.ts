import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JWK } from 'jose'
import type { Config } from '../config.ts'
import { createKeyRing, type KeyRing, PAIRS, parseKeys, type Purpose, PURPOSES, type RingKey } from './key-ring.ts'

/** How soon a changed file is noticed. A new key should become active later than this: then every process knows it before any uses it. */
const LOOK_EVERY_MS = 1_000

const SANDBOX_PURPOSES = ['sandbox', 'sandbox-issuer'] as const

export type OpenedKeyRing = { keys: KeyRing; close(): Promise<void> }

/** The key ring as it is configured; one in a file may be changed while the service runs. */
export async function openKeyRing(
  { keyRing, keyRingFile, dataDir, environment }: Config,
  onUnreadable: (error: Error) => void,
): Promise<OpenedKeyRing> {
  const alsoNeeded = environment === 'sandbox' ? SANDBOX_PURPOSES : []
  if (keyRing) {
    const given = parseKeys(keyRing, alsoNeeded)
    return { keys: createKeyRing(() => given), close: async () => {} }
  }
  const file = keyRingFile ?? join(dataDir, 'keys.json')
  if (!keyRingFile) await makeIfMissing(file, dataDir)
  const read = async () => parseKeys(await readFile(file, 'utf8'), alsoNeeded)
  let known = await read().catch((error: Error) => {
    if (keyRingFile) throw error
    const hint = `If the folder ${dataDir} was made by an earlier version, remove it: it holds nothing but sandbox data.`
    throw new Error(`${error.message} ${hint}`, { cause: error })
  })
  const reload = async () => {
    // Half written or spoilt: the keys that are known stay in use.
    known = await read().catch((error: Error) => (onUnreadable(error), known))
  }
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload)
  return { keys: createKeyRing(() => known), close: async () => unwatchFile(file, reload) }
}

async function makeIfMissing(file: string, folder: string): Promise<void> {
  const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT'
  const isThere = await readFile(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => (isMissing(error) ? false : Promise.reject(error)),
  )
  if (isThere) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Linked into place whole: neither a crash nor a second process can leave or meet half a file.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ keys: mintKeys() }, null, 2), { mode: 0o600, flush: true })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
  await unlink(draft)
}

/** A key of 256 bits, or a pair; `active_from` some seconds from now where others are in use already. */
export function mintKey(purpose: Purpose, activeFrom?: Date): RingKey {
  const key = PAIRS.has(purpose) ? mintPair() : { kty: 'oct', k: randomBytes(32).toString('base64url') }
  return { ...key, kid: randomUUID(), purpose, ...(activeFrom && { active_from: activeFrom.toISOString() }) }
}

const mintPair = () => ({ ...(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK), kty: 'OKP', alg: 'EdDSA' })

/** All that a sandbox needs. */
export const mintKeys = (): RingKey[] => [...PURPOSES, ...SANDBOX_PURPOSES].map((purpose) => mintKey(purpose))
