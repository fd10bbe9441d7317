// Binds a database to its keys. With the key ring of another database the service would find no citizen and no
// secret, would store new ones, and would lose them when the right key ring returns.
//
// The database knows a fingerprint of each key that it was used with. A rotation adds a key, and may remove one
// that no data needs. So a key ring fits if it has one known key for each purpose, and every known key that data
// needs. A process compares it at its start and whenever the key file changes.
import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Database } from '../database/connect.ts'
import type { RingKey } from '../secrets/key-ring.ts'
import { type BoundKey, findBoundKeys, insertBoundKeys } from './bind-keys.sql.ts'
import { countByKey } from './list-keys/list-keys.sql.ts'

type Named = Pick<BoundKey, 'purpose' | 'kid'>

/** Stores the keys that the database was not used with yet. Throws if the key ring does not fit. */
export async function bindKeys(
  db: Database,
  ringKeys: readonly RingKey[],
  config: Pick<Config, 'keyRing' | 'keyRingFile'>,
): Promise<void> {
  await requireFittingKeys(db, ringKeys, config)
  await insertBoundKeys(db, ringKeys.map(toBoundKey))
}

/** Throws if the key ring does not fit the database. It changes nothing. */
export async function requireFittingKeys(
  db: Database,
  ringKeys: readonly RingKey[],
  config: Pick<Config, 'keyRing' | 'keyRingFile'>,
): Promise<void> {
  const misfit = await findMisfit(db, ringKeys)
  if (misfit) throw new Error(`${settingOf(config)}: ${misfit} ${REMEDY}`)
}

/** For a key ring that does not exist: throws if the database was used with another one. */
export async function requireNoKeys(db: Database, file: string): Promise<void> {
  const isUsed = (await findBoundKeys(db)).length > 0 || (await countByKey(db)).size > 0
  if (isUsed)
    throw new Error(
      `TIWALA_DATA_DIR: the key file ${file} is missing, and the database holds data that needs its keys. ` +
        'Restore the file from your copy, or start with an empty database; no data was touched.',
    )
}

const REMEDY =
  'Use the key ring of this database, or correct DATABASE_URL; no data was touched. A rotation adds a key, and ' +
  'keeps the old ones until no data needs them.'

const settingOf = ({ keyRing, keyRingFile }: Pick<Config, 'keyRing' | 'keyRingFile'>) =>
  keyRing ? 'TIWALA_KEY_RING' : keyRingFile ? 'TIWALA_KEY_RING_FILE' : 'TIWALA_DATA_DIR'

async function findMisfit(db: Database, ringKeys: readonly RingKey[]): Promise<string | undefined> {
  const bound = await findBoundKeys(db)
  const ring = ringKeys.map(toBoundKey)
  const isSame = (a: Named) => (b: Named) => a.purpose === b.purpose && a.kid === b.kid
  const replaced = bound.find((key) => {
    const same = ring.find(isSame(key))
    return same && same.fingerprint !== key.fingerprint
  })
  if (replaced)
    return `the key ${replaced.kid} (${replaced.purpose}) is not the one that this database was used with.`
  for (const purpose of new Set(bound.map((key) => key.purpose)))
    if (!ring.some((key) => key.purpose === purpose && bound.some(isSame(key))))
      return `the key ring has no key with the purpose "${purpose}" that this database was used with.`
  const missing = bound.filter((key) => !ring.some(isSame(key)))
  if (bound.length && !missing.length) return undefined
  const counts = await countByKey(db)
  const lacking = bound.length
    ? missing.find(({ kid }) => counts.has(kid))
    : [...counts.keys()].map((kid) => ({ kid })).find(({ kid }) => !ring.some((key) => key.kid === kid))
  if (lacking)
    return `the key ring lacks the key ${lacking.kid}, which ${counts.get(lacking.kid)} stored values need.`
  return undefined
}

/** A pair is known by its public half, which stays the same when the private half is removed. */
const toBoundKey = ({ purpose, kid, k, x, n }: RingKey): BoundKey => ({
  purpose,
  kid,
  fingerprint:
    x ?? n ?? createHmac('sha256', Buffer.from(k!, 'base64url')).update('fingerprint\0').digest('base64url'),
})
