import type { Operation } from '../operation.ts'
import { countByKey } from './store.ts'

/** What a key is needed for is counted, where it can end. */
const COUNTED = new Set(['pepper', 'key-encryption', 'webhook', 'sandbox'])

export const listKeys: Operation<'listKeys'> = async ({ db, keys }) => {
  const counts = await countByKey(db)
  return {
    status: 200,
    body: {
      keys: keys.list().map((key) => ({ ...key, in_use: COUNTED.has(key.purpose) ? (counts.get(key.kid) ?? 0) : null })),
    },
  }
}
