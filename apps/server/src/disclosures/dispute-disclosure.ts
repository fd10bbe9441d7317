import { unknownDisclosure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findDisclosure } from './disclosure.sql.ts'
import { toDisclosure } from './disclosure.ts'
import { insertDispute } from './dispute.sql.ts'

export const disputeDisclosure: Operation<'disputeDisclosure'> = async (
  { db },
  { caller, path, requestId },
) => {
  await insertDispute(db, caller.uniqidHmacs, path.disclosure_id, requestId)
  const row = await findDisclosure(db, caller.uniqidHmacs, path.disclosure_id)
  if (!row) throw unknownDisclosure()
  return { status: 200, body: toDisclosure(row) }
}
