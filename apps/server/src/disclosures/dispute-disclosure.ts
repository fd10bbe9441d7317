import { unknownDisclosure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findDisclosure, insertDispute } from './store.ts'
import { toDisclosure } from './wire.ts'

export const disputeDisclosure: Operation<'disputeDisclosure'> = async (
  { db },
  { caller, path, requestId },
) => {
  await insertDispute(db, caller.uniqidHmacs, path.disclosure_id, requestId)
  const row = await findDisclosure(db, caller.uniqidHmacs, path.disclosure_id)
  if (!row) throw unknownDisclosure()
  return { status: 200, body: toDisclosure(row) }
}
