// What `keys.js remove` asks the database.
import type { Database } from '../database/connect.ts'
import { openConfiguredDatabase } from '../database/open-configured.ts'
import type { RingKey } from '../secrets/key-ring.ts'
import { countKept, countTokensIssuedBefore, deleteBoundKey, hasSigned } from './bind-keys.sql.ts'
import { countByKey } from './list-keys/list-keys.sql.ts'

/** Longer than the check of a connection takes. */
const REQUEST_MS = 1_000

type Source = { databaseUrl: string | undefined; dataDir: string }

/**
 * Runs `remove` if no data needs the key. Throws, and removes nothing, if data needs it. `successor`: the
 * current key of its purpose.
 */
export async function removeUnusedKey(
  source: Source,
  key: RingKey,
  successor: RingKey,
  remove: () => Promise<void>,
): Promise<void> {
  const database = await openConfiguredDatabase(
    { ...source, admission: { deadlineMs: REQUEST_MS } },
    { warn: () => {} },
  )
  try {
    const use = await describeUse(database.longRunning, key, successor)
    if (use)
      throw new Error(
        `The key ${key.kid} (${key.purpose}) is in use: ${use}. Nothing was removed. "tiwala key rewrap" moves ` +
          'citizens to the current keys, except erased ones, whose pepper stays. "tiwala key list" shows how much ' +
          'still needs the key.',
      )
    await remove()
    await deleteBoundKey(database.unbounded, key)
  } finally {
    await database.close()
  }
}

async function describeUse(
  db: Database,
  { kid, purpose }: RingKey,
  { active_from }: RingKey,
): Promise<string | undefined> {
  if (purpose === 'audit')
    return (await hasSigned(db, kid)) ? 'checkpoints of the audit are signed with it' : undefined
  if (purpose === 'access-token') {
    const tokens = active_from ? await countTokensIssuedBefore(db, new Date(active_from)) : 0
    if (tokens) return `${tokens} access tokens need it for some minutes`
  }
  const values = (await countByKey(db)).get(kid)
  if (values) return `${values} stored values need it`
  const kept = await countKept(db, kid)
  return kept ? `${kept} kept responses and sign-ins need it, for an hour at most` : undefined
}
