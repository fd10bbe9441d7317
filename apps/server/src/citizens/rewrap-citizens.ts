import type { AdminAction } from '../audit/insert-audit.sql.ts'
import type { Service } from '../operation.ts'
import { wrapKey } from '../secrets/encryption.ts'
import { dataKeyContext, dataKeyOf, decryptUniqid } from './citizen-encryption.ts'
import { findWithOldKeys, updateKeys } from './rewrap-citizens.sql.ts'

/**
 * Wraps the data keys of some citizens, and hashes their uniqids, with the current keys; returns how many.
 * See `keys/rewrap-keys.ts`.
 */
export async function rewrapWithCurrentKeys(
  { db, keys }: Service,
  limit: number,
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<number> {
  const citizens = await findWithOldKeys(
    db,
    keys.current('key-encryption').kid,
    keys.current('pepper').kid,
    limit,
  )
  const rewrapped = citizens.map(({ id, subject, data_key, uniqid }) => {
    const dataKey = dataKeyOf(keys, { subject, data_key })
    return {
      id,
      from: data_key,
      data_key: wrapKey(keys, dataKeyContext(subject), dataKey),
      uniqid_hmac: keys.hmac('uniqid', decryptUniqid(dataKey, subject, uniqid)),
    }
  })
  await updateKeys(db, rewrapped, action)
  return rewrapped.length
}
