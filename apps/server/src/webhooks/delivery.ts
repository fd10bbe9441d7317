import type { Schemas } from '@tiwala/contract'
import type { DeliveryRow } from './delivery.sql.ts'

export function toDelivery(row: DeliveryRow): Schemas['Delivery'] {
  return {
    webhook_id: row.webhook_id,
    partner_code: row.partner_code,
    partner_name: row.partner_name,
    type: row.type,
    tracking_no: row.tracking_no,
    occurred_at: row.occurred_at.toISOString(),
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    last_outcome: row.last_outcome,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
  }
}

/** The body of the request. Its signature covers each byte. */
export const eventBody = ({
  type,
  occurred_at,
  data,
}: Pick<DeliveryRow, 'type' | 'occurred_at'> & { data: object }) =>
  JSON.stringify({ type, timestamp: occurred_at.toISOString(), data })
