import { unknownDisclosure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findArchivedDisclosure } from './archived-disclosures.ts'
import { findDisclosure } from './disclosure.sql.ts'
import { toDisclosure } from './disclosure.ts'
import { insertArchivedDispute, insertDispute } from './dispute.sql.ts'

export const disputeDisclosure: Operation<'disputeDisclosure'> = async (
  service,
  { caller, path, requestId },
) => {
  const { db } = service
  await insertDispute(db, caller.uniqidHmacs, path.disclosure_id, requestId)
  const row = await findDisclosure(db, caller.uniqidHmacs, path.disclosure_id)
  if (row) return { status: 200, body: toDisclosure(row) }
  const find = () => findArchivedDisclosure(service, caller.uniqidHmacs, path.disclosure_id)
  const archived = await find()
  if (!archived) throw unknownDisclosure()
  await insertArchivedDispute(db, archived.disclosure, requestId)
  return { status: 200, body: toDisclosure((await find())!.row) }
}
