// Rotation of the key-encryption key and of the pepper of citizens.
//
// The operator adds a new key to the key ring, with `active_from` some seconds ahead so that every process
// knows it in time. From then on new values are made with the new key; old values are still read with the old
// one. Each request of this operation rewraps the data keys, and hashes the uniqids again, of at most `limit`
// citizens.
//
// States of a citizen: behind (its data key or its HMAC names another key than the current one), current,
// erased (no data key).
//
// Example: 2,500 citizens, limit 1,000: three requests respond with `remaining` 1,500, 500 and 0. The
// operator then removes the old key-encryption key, once `in_use` of `listKeys` is 0 for it, too.
//
// Guarantees: profiles are not encrypted again, since only the wrapping of the data key changes. A request
// that fails changes nothing. A citizen that was erased meanwhile stays erased.
import { countWithOldKeys } from '../citizens/rewrap-citizens.sql.ts'
import { rewrapWithCurrentKeys } from '../citizens/rewrap-citizens.ts'
import type { Operation } from '../operation.ts'

export const rewrapKeys: Operation<'rewrapKeys'> = async (service, { caller, body, requestId }) => {
  const { db, keys } = service
  const moved = await rewrapWithCurrentKeys(service, body.limit, { actor: caller.subject, requestId })
  const remaining = await countWithOldKeys(db, keys.current('key-encryption').kid, keys.current('pepper').kid)
  return { status: 200, body: { moved, remaining } }
}
