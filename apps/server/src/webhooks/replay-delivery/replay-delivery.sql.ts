import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { EVENT_NOTICE } from '../../database/notifications.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from '../delivery.sql.ts'

/**
 * Starts the delivery of an event again, with its first attempt, at once. The outcome of an attempt in flight is
 * discarded, unless that is the first attempt, too. `undefined`: no such event.
 *
 * - `e`: the event.
 * - `audit`: one row, in the same transaction.
 */
export async function restartDelivery(
  db: Database,
  webhookId: string,
  action: AdminAction,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    with e as (
      update callback_event
         set status = 'PENDING', attempts = 0, claimed_until = null,
             next_attempt_at = clock_now(), delivered_at = null
       where webhook_id = ${webhookId} returning *
    ), audit as (${insertAdminAudit({ ...action, from: 'e', partner: 'e.partner_id' })})
    select ${DELIVERY_COLUMNS}, ${EVENT_NOTICE} from e join partner p on p.id = e.partner_id`.execute(db)
  return rows[0]
}
