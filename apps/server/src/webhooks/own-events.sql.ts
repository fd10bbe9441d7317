// The events of one partner, for its people.
import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from './delivery.sql.ts'
import { EVENT_TYPES } from './sample-events.ts'

export type OwnFilter = {
  partnerId: number
  type: Schemas['EventType'] | undefined
  status: Schemas['DeliveryStatus'] | undefined
  since: Date | undefined
  until: Date | undefined
}
/** Of an event in the order of time. The text keeps the microseconds. */
export type EventPosition = { occurredAt: string; id: number }

/** `asc`: the oldest first. */
type Order = 'asc' | 'desc'

const STATUSES: Schemas['DeliveryStatus'][] = ['PENDING', 'DELIVERED', 'DEAD']

/** `undefined`: the partner has no such event. */
export async function findOwnPosition(
  db: Database,
  partnerId: number,
  webhookId: string,
): Promise<EventPosition | undefined> {
  const { rows } = await sql<EventPosition>`
    select occurred_at::text as "occurredAt", id from callback_event
     where webhook_id = ${webhookId} and partner_id = ${partnerId}`.execute(db)
  return rows[0]
}

/**
 * The events of a time after a position, as one range of an index: PostgreSQL begins to read at one bound of each side.
 */
function inTime(
  { since, until }: Pick<OwnFilter, 'since' | 'until'>,
  order: Order,
  after: EventPosition | undefined,
): RawBuilder<unknown> {
  const [from, to] = [sql`${since ?? '-infinity'}::timestamptz`, sql`${until ?? 'infinity'}::timestamptz`]
  const [at, id] = [sql`${after?.occurredAt}::timestamptz`, sql`${after?.id}::bigint`]
  if (!after) return sql`e.occurred_at >= ${from} and e.occurred_at < ${to}`
  return order === 'asc'
    ? sql`(e.occurred_at, e.id) > (greatest(${at}, ${from}), case when ${from} > ${at} then 0 else ${id} end)
            and e.occurred_at < ${to}`
    : sql`(e.occurred_at, e.id) < (least(${at}, ${to}), case when ${to} <= ${at} then 0 else ${id} end)
            and e.occurred_at >= ${from}`
}

/**
 * Events after a position in the order of time. Each type and status is one range of the index
 * `callback_event_partner_type`, and at most `limit` rows of each range are read.
 */
export function ownEvents(
  filter: Omit<OwnFilter, 'partnerId'> & { partnerId: number | RawBuilder<unknown> },
  order: Order,
  after: EventPosition | undefined,
  limit: number,
): RawBuilder<unknown> {
  const { partnerId, type, status } = filter
  const direction = sql.raw(order)
  return sql`
      select page.* from unnest(${type ? [type] : EVENT_TYPES}::text[]) as t (name)
       cross join unnest(${status ? [status] : STATUSES}::text[]) as s (name)
       cross join lateral (
         select * from callback_event e
          where e.partner_id = ${partnerId} and e.type = t.name and e.status = s.name
            and ${inTime(filter, order, after)}
          order by e.occurred_at ${direction}, e.id ${direction} limit ${limit}
       ) page
       order by page.occurred_at ${direction}, page.id ${direction} limit ${limit}`
}

/** Newest first. */
export async function findOwnDeliveries(
  db: Database,
  filter: OwnFilter & { trackingNo: string | undefined },
  after: EventPosition | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  const { partnerId, type, status, trackingNo } = filter
  const found =
    trackingNo === undefined
      ? ownEvents(filter, 'desc', after, limit)
      : sql`
      select * from callback_event e
       where e.partner_id = ${partnerId} and e.data->>'tracking_no' = ${trackingNo}
         and ${inTime(filter, 'desc', after)}
         and (${type ?? null}::text is null or e.type = ${type ?? null})
         and (${status ?? null}::text is null or e.status = ${status ?? null})
       order by e.occurred_at desc, e.id desc limit ${limit}`
  const { rows } = await sql<DeliveryRow>`
    select ${DELIVERY_COLUMNS} from (${found}) e join partner p on p.id = ${partnerId}
     order by e.occurred_at desc, e.id desc`.execute(db)
  return rows
}

/** An attempt as the log of the event has it. */
type LoggedAttempt = { after_ms: number; outcome: string; duration_ms: number }
export type OwnDeliveryRow = DeliveryRow & { data: object; attempt_log: LoggedAttempt[] }

/** An event of the partner: that of another partner looks exactly like none. */
export async function findOwnDelivery(
  db: Database,
  partnerId: number,
  webhookId: string,
): Promise<OwnDeliveryRow | undefined> {
  const { rows } = await sql<OwnDeliveryRow>`
    select ${DELIVERY_COLUMNS}, e.data, to_json(e.attempt_log) as attempt_log
      from callback_event e join partner p on p.id = e.partner_id
     where e.webhook_id = ${webhookId} and e.partner_id = ${partnerId}`.execute(db)
  return rows[0]
}
