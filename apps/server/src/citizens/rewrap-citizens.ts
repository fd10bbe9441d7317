import type { AdminAction } from '../audit/store.ts'
import type { Service } from '../operation.ts'
import { wrapKey } from '../secrets/encryption.ts'
import { dataKeyOf, decryptUniqid, keyPlace } from './citizen-encryption.ts'
import { findWithOldKeys, updateKeys } from './store.ts'

/** Brings citizens' keys under the current keys; returns how many. */
export async function rewrapWithCurrentKeys(
  { db, keys }: Service,
  limit: number,
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<number> {
  const behind = await findWithOldKeys(db, keys.current('key-encryption').kid, keys.current('pepper').kid, limit)
  const moved = behind.map(({ id, subject, data_key, uniqid }) => {
    const dataKey = dataKeyOf(keys, { subject, data_key })
    return {
      id,
      from: data_key,
      data_key: wrapKey(keys, keyPlace(subject), dataKey),
      uniqid_mac: keys.hmac('uniqid', decryptUniqid(dataKey, subject, uniqid)),
    }
  })
  await updateKeys(db, moved, action)
  return moved.length
}
