import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { link, mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JWK } from 'jose'
import type { Config } from '../config.ts'
import { createKeyRing, type KeyRing, PAIRS, parseKeys, type Purpose, PURPOSES, type RingKey } from './key-ring.ts'

/** How soon a changed file is noticed. A new key should become active later than this: then every process knows it before any uses it. */
const LOOK_EVERY_MS = 1_000

const SANDBOX_PURPOSES = ['sandbox', 'sandbox-issuer'] as const

export type OpenedKeyRing = { keys: KeyRing; close(): Promise<void> }

/** Refuses keys that will not do, before anything is made. The sandbox's own may be missing yet. */
export async function requireKeys(config: Config): Promise<void> {
  await readKeys(config).catch((error: NodeJS.ErrnoException) => {
    if (!(isMissing(error) && !config.keyRingFile)) throw error
  })
}

/** The key ring as it is configured; one in a file may be changed while the service runs. */
export async function openKeyRing(config: Config, onUnreadable: (error: Error) => void): Promise<OpenedKeyRing> {
  const file = fileOf(config)
  if (!config.keyRing && !config.keyRingFile) await makeIfMissing(file, config.dataDir)
  let known = await readKeys(config)
  const keys = createKeyRing(() => known)
  if (config.keyRing) return { keys, close: async () => {} }
  const reload = async () => {
    // Half written or spoilt: the keys that are known stay in use.
    known = await readKeys(config).catch((error: Error) => (onUnreadable(error), known))
  }
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload)
  return { keys, close: async () => unwatchFile(file, reload) }
}

const fileOf = ({ keyRingFile, dataDir }: Config) => keyRingFile ?? join(dataDir, 'keys.json')
const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT'

async function readKeys(config: Config): Promise<RingKey[]> {
  const { keyRing, keyRingFile, dataDir, environment } = config
  const text = keyRing || (await readKeyFile(fileOf(config), environment))
  try {
    return parseKeys(text, environment === 'sandbox' ? SANDBOX_PURPOSES : [])
  } catch (error) {
    if (keyRing || keyRingFile || !(error instanceof Error)) throw error
    const hint = `If the folder ${dataDir} was made by an earlier version, remove it: it holds nothing but sandbox data.`
    throw new Error(`${error.message} ${hint}`, { cause: error })
  }
}

/** A symbolic link is followed, as mounted secrets are made of them: the file that it leads to is judged, and read. */
async function readKeyFile(path: string, environment: Config['environment']): Promise<string> {
  await using file = await open(path)
  if (environment === 'live') requirePrivate(path, await file.stat())
  return file.readFile('utf8')
}

/**
 * Refuses a file that users other than this one and the administrator can read. Its group may read it where the file is another
 * user's, since that is how the service is given a mounted secret.
 */
export function requirePrivate(path: string, { mode, uid }: Pick<Stats, 'mode' | 'uid'>): void {
  const self = process.getuid?.()
  // Windows has no such modes.
  if (self === undefined) return
  const mayRead = uid === self ? 0o600 : 0o640
  if ((mode & 0o077 & ~mayRead) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  throw new Error(
    `TIWALA_KEY_RING_FILE: other users can use ${path} (mode ${shown}). Take their rights away: chmod ${uid === self ? '0600' : '0440'}, or mount it with that mode.`,
  )
}

async function makeIfMissing(file: string, folder: string): Promise<void> {
  if (await stat(file).catch((error: NodeJS.ErrnoException) => (isMissing(error) ? undefined : Promise.reject(error)))) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Linked into place whole: neither a crash nor a second process can leave or meet half a file.
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, JSON.stringify({ keys: mintKeys() }, null, 2), { mode: 0o600, flush: true })
    await link(draft, file).catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
  } finally {
    await rm(draft, { force: true })
  }
}

/** A key of 256 bits, or a pair; `active_from` some seconds from now where others are in use already. */
export function mintKey(purpose: Purpose, activeFrom?: Date): RingKey {
  const key = PAIRS.has(purpose) ? mintPair() : { kty: 'oct', k: randomBytes(32).toString('base64url') }
  return { ...key, kid: randomUUID(), purpose, ...(activeFrom && { active_from: activeFrom.toISOString() }) }
}

const mintPair = () => ({ ...(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK), kty: 'OKP', alg: 'EdDSA' })

/** All that a sandbox needs. */
export const mintKeys = (): RingKey[] => [...PURPOSES, ...SANDBOX_PURPOSES].map((purpose) => mintKey(purpose))
