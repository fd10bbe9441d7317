import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { requireScope } from '../partners/authenticate-partner.ts'
import { openRecord, recordHeaders, toEnded } from './record.ts'
import { cancelPending, findRecord } from './store.ts'

export const cancelAuthorization: Operation<'cancelAuthorization'> = async ({ db, config, keys }, { caller, path, requestId }) => {
  requireScope(caller, 'PROFILE_INQUIRE')
  await cancelPending(db, caller.id, path.tracking_no, requestId)
  const found = await findRecord(db, caller.id, path.tracking_no, config.timeZone)
  if (!found) throw new Failure('tracking_no_not_found')
  const row = openRecord(keys, found)
  // Cancelling again finds it cancelled; anything else has ended in its own way.
  if (row.state !== 'CANCELLED') throw new Failure('authorization_not_pending')
  return { status: 200, headers: recordHeaders(row, config), body: { status: 200, message: 'OK', data: toEnded(row) } }
}
