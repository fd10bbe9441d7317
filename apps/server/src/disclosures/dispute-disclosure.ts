import { unknownDisclosure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { findArchivedDisclosure } from './archived-disclosures.ts'
import { completeDisclosures, findDisclosure } from './disclosure.sql.ts'
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
  const archived = await findArchivedDisclosure(service, caller.uniqidHmacs, path.disclosure_id)
  if (!archived) throw unknownDisclosure()
  await insertArchivedDispute(db, archived.disclosure, requestId)
  const [disputed] = await completeDisclosures(db, [archived.disclosure])
  return { status: 200, body: toDisclosure(disputed!) }
}
