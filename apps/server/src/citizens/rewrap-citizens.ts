import type { AdminAction } from '../audit/insert-audit.sql.ts'
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { wrapKey } from '../secrets/encryption.ts'
import { dataKeyContext, dataKeyOf, decryptUniqid } from './citizen-encryption.ts'
import {
  findWithOldKeys,
  type KeyedCitizen,
  type RewrappedCitizen,
  updateKeys,
} from './rewrap-citizens.sql.ts'

/** With more damaged citizens than this, the rest waits until they are erased. */
const MAX_READS = 10

/**
 * Wraps the data keys of some citizens, and hashes their uniqids, with the current keys; returns how many.
 * See `keys/rewrap-keys.ts`. A citizen whose keys or texts cannot be decrypted is left as it is, and does not stop the others.
 */
export async function rewrapWithCurrentKeys(
  { db, keys, log }: Service,
  limit: number,
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<number> {
  const [wrapping, pepper] = [keys.current('key-encryption').kid, keys.current('pepper').kid]
  const rewrapped: RewrappedCitizen[] = []
  const damaged: number[] = []
  for (let reads = 1; rewrapped.length === 0 && reads <= MAX_READS; reads++) {
    const citizens = await findWithOldKeys(db, wrapping, pepper, limit, damaged)
    for (const citizen of citizens)
      try {
        rewrapped.push(rewrap(keys, citizen))
      } catch (error) {
        damaged.push(citizen.id)
        const { subject } = citizen
        log.warn(
          { ...describeError(error), subject },
          'the keys of a citizen cannot be replaced; those of the others are',
        )
      }
    if (citizens.length < limit) break
  }
  await updateKeys(db, rewrapped, action)
  return rewrapped.length
}

function rewrap(keys: Service['keys'], { id, subject, data_key, uniqid }: KeyedCitizen): RewrappedCitizen {
  const dataKey = dataKeyOf(keys, { subject, data_key })
  return {
    id,
    from: data_key,
    data_key: wrapKey(keys, dataKeyContext(subject), dataKey),
    uniqid_hmac: keys.hmac('uniqid', decryptUniqid(dataKey, subject, uniqid)),
  }
}
