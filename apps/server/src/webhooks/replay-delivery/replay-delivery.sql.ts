import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { EVENT_NOTICE } from '../../database/notifications.ts'
import { DELIVERY_COLUMNS, type DeliveryRow, RESTARTED } from '../delivery.sql.ts'

/**
 * Starts the delivery of events again, with their first attempt, at once. The outcome of an attempt in flight is
 * discarded. Unknown events, and those of another partner than `partnerId`, are left out.
 *
 * - `e`: the events.
 * - `act`: their partner, and the id of the event or, for a list of ids, the number of the events.
 * - `audit`: one row, in the same transaction. One for each event would let a request write 200 permanent rows.
 */
export async function restartDeliveries(
  db: Database,
  webhookIds: string[],
  partnerId: number | undefined,
  action: Omit<AdminAction, 'kind'>,
): Promise<DeliveryRow[]> {
  const isOne = webhookIds.length === 1
  const { rows } = await sql<DeliveryRow>`
    with e as (
      update callback_event set ${RESTARTED}
       where webhook_id = any(${webhookIds}::text[])
         and (${partnerId ?? null}::bigint is null or partner_id = ${partnerId ?? null}) returning *
    ), act as (
      select partner_id, ${isOne ? sql`min(webhook_id)` : sql`count(*)::text`} as detail from e group by partner_id
    ), audit as (${insertAdminAudit({
      ...action,
      kind: isOne ? 'delivery.replayed' : 'deliveries.replayed',
      from: 'act',
      partner: 'partner_id',
      detailColumn: 'detail',
    })})
    select ${DELIVERY_COLUMNS}, ${EVENT_NOTICE} from e join partner p on p.id = e.partner_id`.execute(db)
  return rows
}
