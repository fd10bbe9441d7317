import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
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
  const text = keyRing || (await readFile(fileOf(config), 'utf8'))
  try {
    return parseKeys(text, environment === 'sandbox' ? SANDBOX_PURPOSES : [])
  } catch (error) {
    if (keyRing || keyRingFile || !(error instanceof Error)) throw error
    const hint = `If the folder ${dataDir} was made by an earlier version, remove it: it holds nothing but sandbox data.`
    throw new Error(`${error.message} ${hint}`, { cause: error })
  }
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
