import { findDiagnosis } from '../diagnostics/diagnosis.sql.ts'
import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { toRequest } from './list-requests.ts'
import { findRequest } from './requests.sql.ts'

export const readRequest: Operation<'readRequest'> = async ({ db, config }, { caller, path }) => {
  const [row, diagnosis] = await Promise.all([
    findRequest(db, caller.partnerId, path.request_id),
    findDiagnosis(db, caller.partnerId, path.request_id, config.retention.diagnosesHours),
  ])
  if (!row) throw new Failure('not_found', { message: 'No request of yours has this request_id' })
  return {
    status: 200,
    body: {
      request: toRequest(row),
      diagnosis: diagnosis ? { ...diagnosis, occurred_at: diagnosis.occurred_at.toISOString() } : null,
      help_url: row.error && `${config.publicUrl}/errors/${row.error}`,
    },
  }
}
