import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findRecord } from '../record.sql.ts'
import { decryptRecord, recordHeaders, toEnded } from '../record.ts'
import { cancelPending } from './cancel-authorization.sql.ts'

export const cancelAuthorization: Operation<'cancelAuthorization'> = async (
  { db, config, keys },
  { caller, path, requestId, traceparent, passed },
) => {
  await cancelPending(db, caller.id, path.tracking_no, { requestId, traceparent })
  const found = await findRecord(db, caller.id, path.tracking_no, config.timeZone)
  if (!found) throw new Failure('tracking_no_not_found')
  passed('record')
  const row = decryptRecord(keys, found)
  // A repeated request finds the record cancelled and succeeds. Any other state means that the record ended
  // differently.
  if (row.state !== 'CANCELLED') throw new Failure('authorization_not_pending')
  return {
    status: 200,
    headers: recordHeaders(row, config),
    body: { status: 200, message: 'OK', data: toEnded(row) },
  }
}
