import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { EVENT_NOTICE } from '../../database/notifications.ts'
import { RESTARTED } from '../delivery.sql.ts'
import { type EventPosition, type OwnFilter, ownEvents } from '../own-events.sql.ts'

type Selection = {
  partnerCode: string | undefined
  type: Schemas['EventType'] | undefined
  from: Date | undefined
  to: Date | undefined
}
type FinalStatus = Exclude<Schemas['DeliveryStatus'], 'PENDING'>

/** `next`: the last event of the selection so far, if there are more. */
export type Restarted = { replayed: number; next: string | null }

/** Whether the events of the partner with this id would not be dead again at once. */
const isDeliverable = (partnerId: string) => sql`exists (
        select from partner receiver left join callback_endpoint d on d.partner_id = receiver.id
         where receiver.id = ${sql.ref(partnerId)} and receiver.callback_url is not null and d.disabled_at is null)`

/**
 * Starts the delivery of dead events again: at most `limit`, of each partner the oldest first. Of partners whose events
 * would be dead again at once none is read, however many they have.
 */
export function restartDead(
  db: Database,
  { partnerCode, type, from, to }: Selection,
  limit: number,
  action: AdminAction,
): Promise<Restarted> {
  const filter = { partnerId: sql.ref('p.id'), type, status: 'DEAD', since: from, until: to } as const
  const dead = sql`
      select e.* from partner p cross join lateral (${ownEvents(filter, 'asc', undefined, limit + 1)}) e
       where ${isDeliverable('p.id')} and (${partnerCode ?? null}::text is null or p.partner_code = ${partnerCode ?? null})
       limit ${limit + 1}`
  const partner = sql`(select id from partner where partner_code = ${partnerCode ?? null})`
  return restart(db, dead, { status: 'DEAD', partner, limit, action })
}

/** Starts the delivery of a partner's finished events again: at most `limit`, the oldest first. */
export function restartOwn(
  db: Database,
  filter: OwnFilter & { status: FinalStatus },
  after: EventPosition | undefined,
  limit: number,
  action: AdminAction,
): Promise<Restarted> {
  const { status, partnerId } = filter
  const own = sql`
      select e.* from (${ownEvents(filter, 'asc', after, limit + 1)}) e where ${isDeliverable('e.partner_id')}`
  return restart(db, own, { status, partner: sql`${partnerId}::bigint`, limit, action })
}

type Options = { status: FinalStatus; partner: RawBuilder<unknown>; limit: number; action: AdminAction }

/**
 * Starts the delivery of the selected events again, with their first attempt, at once.
 *
 * - `selected`: the events in their order, and one more if there are more than `limit`.
 * - `e`: the events that are pending again. Those that another request has restarted meanwhile are left out.
 * - `act`: one row with their number.
 * - `audit`: one row, in the same transaction.
 */
async function restart(
  db: Database,
  selection: RawBuilder<unknown>,
  { status, partner, limit, action }: Options,
): Promise<Restarted> {
  const { rows } = await sql<Restarted>`
    with selected as materialized (
      select id, webhook_id, row_number() over (order by occurred_at, id) as n from (${selection}) s
    ), e as (
      update callback_event set ${RESTARTED}
       where id in (select id from selected where n <= ${limit}) and status = ${status} returning id
    ), act as (
      select count(*) as replayed, ${partner} as partner_id from e
    ), audit as (${insertAdminAudit({ ...action, from: 'act', partner: 'partner_id', detailColumn: 'replayed::text' })})
    select replayed, ${EVENT_NOTICE},
           (select webhook_id from selected
             where n = ${limit} and exists (select from selected where n > ${limit})) as next
      from act`.execute(db)
  return { replayed: rows[0]!.replayed, next: rows[0]!.next }
}
