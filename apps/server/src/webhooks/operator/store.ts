import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { countForMetric } from '../../database/count-for-metric.ts'
import { notifyEvent } from '../../database/notifications.ts'
import { isPrivatePartner } from '../../database/private-sandbox.ts'
import { insertEvent } from '../store.ts'

type Times = {
  occurred_at: Date
  last_attempt_at: Date | null
  next_attempt_at: Date | null
  delivered_at: Date | null
}

export type DeliveryRow = Omit<Schemas['Delivery'], keyof Times> & Times

/** The columns of `DeliveryRow`, of an event `e` and its partner `p`. */
const DELIVERY_COLUMNS = sql.raw(`e.webhook_id, p.partner_code, e.type,
  e.data->>'tracking_no' as tracking_no, e.occurred_at, e.status, e.attempts,
  e.last_attempt_at, e.last_outcome, e.next_attempt_at, e.delivered_at`)

/**
 * The audit's detail of a rotation that only ended a secret after a restore. The new one was never given out.
 */
export const REPLAYED = 'replayed'

/** The position of an event, for paging. */
export async function findEventPosition(db: Database, webhookId: string): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number
  }>`select id from callback_event where webhook_id = ${webhookId}`.execute(db)
  return rows[0]?.id
}

type Filter = {
  partnerCode: string | undefined
  status: Schemas['DeliveryStatus'] | undefined
  after: number | undefined
  limit: number
}

/** Newest first. */
export async function findDeliveries(
  db: Database,
  { partnerCode, status, after, limit }: Filter,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${DELIVERY_COLUMNS} from callback_event e join partner p on p.id = e.partner_id
     where (${partnerCode ?? null}::text is null
            or e.partner_id = (select id from partner where partner_code = ${partnerCode ?? null}))
       and (${status ?? null}::text is null or e.status = ${status ?? null})
       and (${after ?? null}::bigint is null or e.id < ${after ?? null})
     order by e.id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Starts the delivery of an event again, with its first attempt, at once. A job that is queued or in flight
 * meanwhile finds another attempt number and is skipped, or makes the same attempt. `undefined`: no such
 * event.
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
         set status = 'PENDING', attempts = 0, is_queued = false,
             next_attempt_at = clock_now(), delivered_at = null
       where webhook_id = ${webhookId} returning *
    ), audit as (${insertAdminAudit({ ...action, from: 'e', partner: 'e.partner_id' })})
    select ${DELIVERY_COLUMNS}, ${notifyEvent} from e join partner p on p.id = e.partner_id`.execute(db)
  return rows[0]
}

/**
 * Inserts a test event. `undefined`: no such partner. `delivery` is undefined if the partner has no callback
 * URL.
 *
 * - `recipient`: the partner.
 * - `e`: the event; none without a callback URL.
 * - `audit`: one row for the event, in the same transaction.
 */
export async function insertTestEvent(
  db: Database,
  partnerCode: string,
  traceparent: string | null,
  action: AdminAction,
): Promise<{ delivery: DeliveryRow | undefined } | undefined> {
  const { rows } = await sql<DeliveryRow | { webhook_id: null }>`
    with recipient as (
      select id as partner_id from partner where partner_code = ${partnerCode}
    ), e as (${insertEvent('recipient', 'webhook.test', sql`'{}'::json`, traceparent)} returning *
    ), audit as (${insertAdminAudit({ ...action, from: 'e', partner: 'e.partner_id' })})
    select ${DELIVERY_COLUMNS}, ${notifyEvent} from recipient join partner p on p.id = recipient.partner_id
      left join e on true`.execute(db)
  const [row] = rows
  return row && { delivery: row.webhook_id === null ? undefined : row }
}

/**
 * Inserts an event of any type for a partner, so that its developer can test the handler of that type. False:
 * the partner has no callback URL.
 *
 * - `recipient`: the partner.
 * - `e`: the event; none without a callback URL.
 */
export async function insertSampleEvent(
  db: Database,
  partnerId: number,
  type: Schemas['EventType'],
  data: object,
): Promise<boolean> {
  const { rows } = await sql`
    with recipient as (
      select ${partnerId}::bigint as partner_id
    ), e as (${insertEvent('recipient', type, sql`${JSON.stringify(data)}::json`, null)} returning id)
    select ${notifyEvent} from e`.execute(db)
  return rows.length === 1
}

/**
 * Whether a partner's webhook secret was rotated at or after a time, and whether by a request that gave the
 * partner a new one. `undefined`: no such partner.
 */
export async function findRotation(
  db: Database,
  partnerCode: string,
  at: Date,
): Promise<{ is_rotated: boolean; has_secret: boolean } | undefined> {
  const { rows } = await sql<{ is_rotated: boolean; has_secret: boolean }>`
    select count(e.id) > 0 as is_rotated,
           count(e.id) filter (where e.detail is distinct from ${REPLAYED}) > 0 as has_secret
      from partner p
      left join audit_event e on e.partner_id = p.id and e.kind = 'webhook_secret.rotated'
                             and e.occurred_at >= ${at}
     where p.partner_code = ${partnerCode} group by p.id`.execute(db)
  return rows[0]
}

/** The number of events with this status, without private sandboxes. */
export const countEvents = (db: Database, status: 'PENDING' | 'DEAD'): Promise<number> =>
  countForMetric(
    db,
    sql`select from callback_event e where status = ${status} and not ${isPrivatePartner('e.partner_id')}`,
  )

/** The age of the oldest event that is pending; 0 if there is none. Without private sandboxes. */
export async function readOldestPending(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_now() - occurred_at)::float8 as seconds from callback_event e
     where status = 'PENDING' and not ${isPrivatePartner('e.partner_id')}
     order by status, id limit 1`.execute(db)
  return rows[0]?.seconds ?? 0
}
