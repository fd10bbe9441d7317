import { rewrapWithCurrentKeys } from '../citizens/rewrap-citizens.ts'
import { countWithOldKeys } from '../citizens/store.ts'
import type { Operation } from '../operation.ts'

export const rewrapKeys: Operation<'rewrapKeys'> = async (service, { caller, body, requestId }) => {
  const { db, keys } = service
  const moved = await rewrapWithCurrentKeys(service, body.limit, { actor: caller.subject, requestId })
  const remaining = await countWithOldKeys(db, keys.current('key-encryption').kid, keys.current('pepper').kid)
  return { status: 200, body: { moved, remaining } }
}
