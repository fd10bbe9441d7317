import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { EVENT_NOTICE } from '../../database/notifications.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from '../delivery.sql.ts'
import { insertEvent } from '../insert-event.sql.ts'
import type { SampleEvent } from '../sample-events.ts'

/**
 * Inserts an event of any type. `undefined`: no such partner. `delivery` is undefined if the partner has no callback
 * URL.
 *
 * - `recipient`: the partner.
 * - `e`: the event; none without a callback URL.
 * - `audit`: one row for the event, in the same transaction.
 */
export async function insertTestEvent(
  db: Database,
  partnerCode: string,
  { type, data }: SampleEvent,
  traceparent: string | null,
  action: AdminAction,
): Promise<{ delivery: DeliveryRow | undefined } | undefined> {
  const { rows } = await sql<DeliveryRow | { webhook_id: null }>`
    with recipient as (
      select id as partner_id from partner where partner_code = ${partnerCode}
    ), e as (${insertEvent('recipient', type, sql`${JSON.stringify(data)}::json`, traceparent)} returning *
    ), audit as (${insertAdminAudit({ ...action, from: 'e', partner: 'e.partner_id' })})
    select ${DELIVERY_COLUMNS}, ${EVENT_NOTICE} from recipient join partner p on p.id = recipient.partner_id
      left join e on true`.execute(db)
  const [row] = rows
  return row && { delivery: row.webhook_id === null ? undefined : row }
}
