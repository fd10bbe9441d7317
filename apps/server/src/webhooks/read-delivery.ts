import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { eventBody, toDelivery } from './delivery.ts'
import { findOwnDelivery } from './own-events.sql.ts'

export const readDelivery: Operation<'readDelivery'> = async ({ db }, { caller, path }) => {
  const row = await findOwnDelivery(db, caller.partnerId, path.webhook_id)
  if (!row) throw new Failure('not_found', { message: 'No event of yours has this webhook_id' })
  return {
    status: 200,
    body: {
      delivery: toDelivery(row),
      attempts: row.attempt_log.map(({ after_ms, outcome, duration_ms }) => ({
        attempted_at: new Date(row.occurred_at.getTime() + after_ms).toISOString(),
        outcome,
        duration_ms,
      })),
      body: eventBody(row),
    },
  }
}
