import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../http/failure.ts'
import type { Operation } from '../operation.ts'
import { findDiagnosis } from './store.ts'

/** As long as it may take, at rest, until a refusal is written down by whichever process answered it. */
const WRITTEN_AFTER_MS = 250

export const readDiagnosis: Operation<'readDiagnosis'> = async ({ db, config }, { caller, path }) => {
  const find = () => findDiagnosis(db, caller.id, path.request_id, config.retention.diagnosesHours)
  const row = (await find()) ?? (await pause(WRITTEN_AFTER_MS).then(find))
  if (!row) throw new Failure('not_found', { message: 'No refusal of yours has this request_id' })
  return { status: 200, body: { status: 200, message: 'OK', data: { ...row, occurred_at: row.occurred_at.toISOString() } } }
}
