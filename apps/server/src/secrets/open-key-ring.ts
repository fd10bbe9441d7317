import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { link, mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { JWK } from 'jose'
import type { Config } from '../config.ts'
import { KEYS_COMMAND } from '../program.ts'
import {
  createKeyRing,
  type KeyRing,
  PAIRS,
  parseKeys,
  type Purpose,
  PURPOSES,
  type RingKey,
  SIGN_IN_PURPOSES,
} from './key-ring.ts'

/**
 * A changed file is noticed within this time. A new key should become active later, so that every process has
 * it before any uses it.
 */
const CHECK_EVERY_MS = 1_000

const SANDBOX_PURPOSES = ['sandbox', 'sandbox-issuer'] as const

export type OpenedKeyRing = { keys: KeyRing; close(): Promise<void> }

/**
 * Fails if the configured keys are invalid, before anything is created. `undefined`: the sandbox's own key
 * file does not exist yet.
 */
export async function requireKeys(config: Config): Promise<RingKey[] | undefined> {
  return readKeys(config).catch((error: NodeJS.ErrnoException) => {
    // The error of a configured file has no code.
    if (!isMissing(error)) throw error
    return undefined
  })
}

/**
 * Reads the configured keys. The sandbox creates its own file if it is missing, after `beforeCreation`, which
 * may refuse that.
 */
export async function loadKeys(
  config: Config,
  beforeCreation: (file: string) => Promise<void> = async () => {},
): Promise<RingKey[]> {
  if (!config.keyRing && !config.keyRingFile)
    await createIfMissing(fileOf(config), config.dataDir, beforeCreation)
  return readKeys(config)
}

/** `accept`: throws if the changed keys must not be used. `onReload`: after they are in use. */
type Options = {
  ringKeys?: RingKey[]
  accept?: (ringKeys: RingKey[], signal: AbortSignal) => Promise<void>
  onReload?: (change: KeyRingChange) => void
  onCurrent?: (key: KeyName) => void
}
type KeyName = Pick<RingKey, 'kid' | 'purpose' | 'active_from'>
export type KeyRingChange = { added: KeyName[]; removed: KeyName[] }

/** Opens the configured key ring. A key file may be changed while the service runs. */
export async function openKeyRing(
  config: Config,
  onRefused: (error: Error) => void,
  { ringKeys: loaded, accept = async () => {}, onReload = () => {}, onCurrent = () => {} }: Options = {},
): Promise<OpenedKeyRing> {
  let ringKeys = loaded ?? (await loadKeys(config))
  const keys = createKeyRing(() => ringKeys, onCurrent)
  if (config.keyRing) return { keys, close: async () => {} }
  const file = fileOf(config)
  const closing = new AbortController()
  const reload = async () => {
    try {
      const read = await readKeys(config)
      if (isDeepStrictEqual(read, ringKeys)) return
      await accept(read, closing.signal)
      const change = compareKeys(ringKeys, read)
      ringKeys = read
      onReload(change)
    } catch (error) {
      // A refused file (half written, invalid, of another database) changes nothing: the loaded keys stay.
      if (!closing.signal.aborted) onRefused(error as Error)
    }
  }
  let reloading = Promise.resolve()
  // One after the other, so that the last change wins.
  const onChange = () => void (reloading = reloading.then(reload))
  watchFile(file, { interval: CHECK_EVERY_MS, persistent: false }, onChange)
  // Nothing watched the file since the keys were read.
  onChange()
  const close = async () => {
    unwatchFile(file, onChange)
    closing.abort()
    await reloading
  }
  return { keys, close }
}

function compareKeys(before: readonly RingKey[], after: readonly RingKey[]): KeyRingChange {
  const missingIn = (others: readonly RingKey[]) => (key: RingKey) =>
    !others.some(({ kid, purpose }) => kid === key.kid && purpose === key.purpose)
  return {
    added: after.filter(missingIn(before)).map(toName),
    removed: before.filter(missingIn(after)).map(toName),
  }
}

const toName = ({ kid, purpose, active_from }: RingKey): KeyName => ({
  kid,
  purpose,
  ...(active_from && { active_from }),
})

export const fileOf = ({ keyRingFile, dataDir }: Config) => keyRingFile ?? join(dataDir, 'keys.json')
const isMissing = (error: NodeJS.ErrnoException) => error.code === 'ENOENT'

async function readKeys(config: Config): Promise<RingKey[]> {
  const { keyRing, keyRingFile, dataDir, environment } = config
  const text = keyRing || (await readKeyFile(fileOf(config), environment).catch(explainUnreadable(config)))
  try {
    return parseKeys(text, environment === 'sandbox' ? SANDBOX_PURPOSES : [])
  } catch (error) {
    const { message } = error as Error
    if (keyRing || keyRingFile)
      throw new Error(`TIWALA_KEY_RING${keyRing ? '' : '_FILE'}: ${message}`, { cause: error })
    const hint = `If an earlier version created ${dataDir}, delete it: it contains only sandbox data.`
    throw new Error(`${message} ${hint}`, { cause: error })
  }
}

/** The sandbox creates its own file if it is missing. */
const explainUnreadable =
  (config: Config) =>
  (error: NodeJS.ErrnoException): never => {
    const { keyRingFile } = config
    if (!error.code || (!keyRingFile && isMissing(error))) throw error
    if (!keyRingFile)
      throw new Error(
        `TIWALA_DATA_DIR: cannot read ${fileOf(config)} (${error.code}). ` +
          'It must be a file that the user of the service may read',
      )
    const remedy = isMissing(error)
      ? `Create it: ${KEYS_COMMAND} init --file ${keyRingFile}`
      : 'It must be a file that the user of the service may read'
    throw new Error(`TIWALA_KEY_RING_FILE: cannot read ${keyRingFile} (${error.code}). ${remedy}`)
  }

/**
 * Follows symbolic links, since mounted secrets are links. The mode that counts is that of the target file.
 */
async function readKeyFile(path: string, environment: Config['environment']): Promise<Uint8Array> {
  await using file = await open(path)
  const stats = await file.stat()
  if (!stats.isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
  if (environment === 'live') requirePrivate(path, stats)
  return await file.readFile()
}

/**
 * Refuses a file that users other than the service's user and root can read. If the file belongs to another
 * user, its group may read it: a mounted secret is shared with the service in this way.
 */
export function requirePrivate(path: string, { mode, uid }: Pick<Stats, 'mode' | 'uid'>): void {
  const self = process.getuid?.()
  // Windows has no file modes.
  if (self === undefined) return
  const mayRead = uid === self ? 0o600 : 0o640
  if ((mode & 0o077 & ~mayRead) === 0) return
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  throw new Error(
    `TIWALA_KEY_RING_FILE: other users can use ${path} (mode ${shown}). ` +
      `Remove their rights: chmod ${uid === self ? '0600' : '0440'}, or mount the file with that mode.`,
  )
}

async function createIfMissing(
  file: string,
  folder: string,
  beforeCreation: (file: string) => Promise<void>,
): Promise<void> {
  if (
    await stat(file).catch((error: NodeJS.ErrnoException) =>
      isMissing(error) ? undefined : Promise.reject(error),
    )
  )
    return
  await beforeCreation(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await createKeyFile(file, [...PURPOSES, ...SIGN_IN_PURPOSES, ...SANDBOX_PURPOSES])
}

/** Creates a key ring that only this user can read. Returns false, without a change, if the file exists. */
export async function createKeyFile(file: string, purposes: readonly Purpose[]): Promise<boolean> {
  const keys = purposes.map((purpose) => mintKey(purpose))
  // Written under another name and then linked, so that no process ever sees a half-written file.
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, JSON.stringify({ keys }, null, 2), { mode: 0o600, flush: true })
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** A new key of 256 bits, or a key pair. `activeFrom` should be some seconds ahead if the ring is in use. */
export function mintKey(purpose: Purpose, activeFrom?: Date): RingKey {
  const alg = PAIRS.get(purpose)
  const key = alg ? mintPair(alg) : { kty: 'oct', k: randomBytes(32).toString('base64url') }
  return { ...key, kid: randomUUID(), purpose, ...(activeFrom && { active_from: activeFrom.toISOString() }) }
}

function mintPair(alg: string): JWK {
  const { privateKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519')
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), alg }
}

/** All keys that a sandbox needs: the given ones, and new ones for other purposes. */
export const mintKeys = (...given: RingKey[]): RingKey[] =>
  [...PURPOSES, ...SIGN_IN_PURPOSES, ...SANDBOX_PURPOSES].map(
    (purpose) => given.find((key) => key.purpose === purpose) ?? mintKey(purpose),
  )
