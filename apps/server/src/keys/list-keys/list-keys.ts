import { countCitizens, countWithOldKeys } from '../../citizens/rewrap-citizens.sql.ts'
import type { Operation } from '../../operation.ts'
import { countByKey } from './list-keys.sql.ts'

/** Stored values that need a key of these purposes are counted. `in_use` is null for the other purposes. */
const COUNTED = new Set(['pepper', 'key-encryption', 'webhook', 'sandbox'])

export const listKeys: Operation<'listKeys'> = async ({ db, keys }) => {
  const counts = await countByKey(db)
  const [wrapping, pepper] = [keys.current('key-encryption').kid, keys.current('pepper').kid]
  return {
    status: 200,
    body: {
      keys: keys
        .list()
        .map((key) => ({ ...key, in_use: COUNTED.has(key.purpose) ? (counts.get(key.kid) ?? 0) : null })),
      citizens: await countCitizens(db),
      remaining: await countWithOldKeys(db, wrapping, pepper),
    },
  }
}
