import type { Operation } from '../../operation.ts'
import { toTracked } from '../tracked-record.ts'
import { findRecordOfPartner } from './list-records.sql.ts'
import { listRecordsOf } from './list-records.ts'

export const listOwnRecords: Operation<'listOwnRecords'> = async ({ db }, { caller, query }) => {
  if (query.tracking_no === undefined)
    return { status: 200, body: await listRecordsOf(db, caller.partnerId, query) }
  const row = await findRecordOfPartner(db, caller.partnerId, query.tracking_no)
  const isListed = row && (query.state === undefined || row.state === query.state)
  return { status: 200, body: { records: isListed ? [toTracked(row)] : [], next_cursor: null } }
}
