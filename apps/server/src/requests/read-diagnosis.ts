import { setTimeout as pause } from 'node:timers/promises'
import { findDiagnosis } from '../diagnostics/diagnosis.sql.ts'
import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { markLookedUp } from './requests.sql.ts'

/** A process that is not overloaded stores a diagnosis within this time after the response. */
const STORED_WITHIN_MS = 250

export const readDiagnosis: Operation<'readDiagnosis'> = async (
  { db, config, concurrencyCaps },
  { caller, path, slot },
) => {
  const find = () => findDiagnosis(db, caller.id, path.request_id, config.retention.diagnosesHours)
  const findLater = async () => {
    const endWait = concurrencyCaps.diagnosisWaitsOfPartner.acquire(caller.id)
    if (!endWait) return undefined
    slot.release()
    await pause(STORED_WITHIN_MS)
    endWait()
    if (!(await slot.reacquire())) throw new Failure('unavailable', { retryAfterSeconds: 1 })
    return find()
  }
  const row = (await find()) ?? (await findLater())
  if (!row) throw new Failure('not_found', { message: 'No refusal of yours has this request_id' })
  await markLookedUp(db, caller.id, path.request_id)
  return {
    status: 200,
    body: { status: 200, message: 'OK', data: { ...row, occurred_at: row.occurred_at.toISOString() } },
  }
}
