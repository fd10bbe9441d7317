import type { Success } from '@tiwala/contract'
import { findDiagnosis } from '../diagnostics/diagnosis.sql.ts'
import { Failure } from '../failure.ts'
import type { Operation, Service } from '../operation.ts'
import { hideSharedAddress, toRequest } from './list-requests.ts'
import { findRequest, markLookedUp } from './requests.sql.ts'

export const readRequest: Operation<'readRequest'> = async (service, { caller, path }) => {
  const body = await explainRequest(service, caller.partnerId, path.request_id)
  if (!body) throw new Failure('not_found', { message: 'No request of yours has this request_id' })
  await markLookedUp(service.db, caller.partnerId, path.request_id)
  return { status: 200, body: { ...body, request: hideSharedAddress(service.config, caller)(body.request) } }
}

/** A request of the partner, and which of its checks failed. `undefined`: it has no such request. */
export async function explainRequest(
  { db, config }: Service,
  partnerId: number,
  requestId: string,
): Promise<Success<'readRequest'> | undefined> {
  const [row, diagnosis] = await Promise.all([
    findRequest(db, partnerId, requestId),
    findDiagnosis(db, partnerId, requestId, config.retention.diagnosesHours),
  ])
  return (
    row && {
      request: toRequest(row),
      diagnosis: diagnosis ? { ...diagnosis, occurred_at: diagnosis.occurred_at.toISOString() } : null,
      help_url: row.error && `${config.publicUrl}/errors/${row.error}`,
    }
  )
}
