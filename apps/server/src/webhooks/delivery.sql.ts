import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'

type Times = {
  occurred_at: Date
  last_attempt_at: Date | null
  next_attempt_at: Date | null
  delivered_at: Date | null
}

export type DeliveryRow = Omit<Schemas['Delivery'], keyof Times> & Times

/** The columns of `DeliveryRow`, of an event `e` and its partner `p`. */
export const DELIVERY_COLUMNS = sql.raw(`e.webhook_id, p.partner_code, p.name as partner_name, e.type,
  e.data->>'tracking_no' as tracking_no, e.occurred_at, e.status, e.attempts,
  e.last_attempt_at, e.last_outcome, e.next_attempt_at, e.delivered_at`)

/** Sets an event to its first attempt, at once. */
export const RESTARTED = sql.raw(`status = 'PENDING', attempts = 0, claimed_until = null,
             next_attempt_at = clock_now(), delivered_at = null`)
