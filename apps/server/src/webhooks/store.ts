import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/insert-audit.sql.ts'
import { batched, list } from '../database/batch.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import { isPrivatePartner } from '../database/private-sandbox.ts'

/**
 * The body of a CTE `event`, inside the statement that the event reports: both are committed together or not
 * at all. Inserts one event for each row of the CTE `source` whose partner has a callback URL. `source` has
 * the column partner_id and the columns that `data` reads from `s`. A subquery instead of a join: for a join
 * PostgreSQL may first search all partners with a callback URL. Without `traceparent`, `source` also has the
 * column traceparent: a batched statement serves several requests.
 */
export function insertEvent(
  source: string,
  type: Schemas['EventType'],
  data: RawBuilder<unknown>,
  traceparent?: string | null,
): RawBuilder<unknown> {
  const trace = traceparent === undefined ? sql.ref('s.traceparent') : sql`${traceparent}::text`
  return sql`insert into callback_event (partner_id, type, data, traceparent)
    select s.partner_id, ${type}, ${data}, ${trace} from ${sql.raw(source)} s
     where (select p.callback_url is not null from partner p where p.id = s.partner_id)`
}

/**
 * Inserts a webhook secret for each partner in the CTE `source` (a column `id`). The previous secret also
 * signs until `previousUntil`.
 */
export function insertWebhookSecrets(
  source: string,
  salt: string,
  previousUntil: Date | null,
): RawBuilder<unknown> {
  return sql`insert into webhook_secret (partner_id, salt, previous_until)
    select id, ${salt}, ${previousUntil}::timestamptz from ${sql.raw(source)} returning 1`
}

/**
 * Rotates a partner's webhook secret. False: no such partner. Of two rotations at once, one is the newer
 * secret and the other the previous one.
 *
 * - `p`: the partner.
 * - `audit`: one row, in the same transaction.
 */
export async function rotateStoredWebhookSecret(
  db: Database,
  partnerCode: string,
  salt: string,
  previousUntil: Date | null,
  action: AdminAction,
): Promise<boolean> {
  const { rows } = await sql`
    with p as (
      select id from partner where partner_code = ${partnerCode}
    ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    ${insertWebhookSecrets('p', salt, previousUntil)}`.execute(db)
  return rows.length === 1
}

/**
 * Forgets the failures of the endpoints of the partners in the CTE `source` (a column `id`): they were those
 * of another URL, or are repaired.
 */
export function resetEndpoints(source: string): RawBuilder<unknown> {
  return sql`update callback_endpoint d set disabled_at = null, is_failing = false
      from ${sql.raw(source)} s where d.partner_id = s.id`
}

/** Deletes all webhook secrets of the partners in the CTE `source` (a column `id`). */
export function deleteWebhookSecrets(source: string): RawBuilder<unknown> {
  return sql`delete from webhook_secret w using ${sql.raw(source)} s where w.partner_id = s.id`
}

/**
 * The salts of the secrets that sign the partners' events now: the newest, and in its grace period the
 * previous one.
 */
export const SALTS_IN_USE = sql`
             select partner_id, salt, nth from (
               select partner_id, salt, row_number() over newest as nth,
                      first_value(previous_until) over newest as previous_until
                 from webhook_secret window newest as (partition by partner_id order by id desc)
             ) w where nth = 1 or (nth = 2 and clock_now() < previous_until)`

/** The salts of the secrets that sign the partner's events now, the newest first. */
export async function findSaltsInUse(db: Database, partnerId: number): Promise<string[]> {
  const { rows } = await sql<{ salt: string }>`
    select salt from (${SALTS_IN_USE}) s where partner_id = ${partnerId} order by nth`.execute(db)
  return rows.map(({ salt }) => salt)
}

export async function hasDueEvent(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from callback_event
     where not is_queued and next_attempt_at <= (select clock_now()) limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Marks due events as queued. The caller inserts them into the job queue in the same transaction.
 *
 * - `due`: locks due events and skips those that another process has locked.
 * - `queued_event`: the events that are marked now. An event is queued once.
 */
export async function markDueEventsQueued(
  db: Database,
  limit: number,
): Promise<{ id: number; attempts: number; partner_id: number; is_failing: boolean }[]> {
  const { rows } = await sql<{ id: number; attempts: number; partner_id: number; is_failing: boolean }>`
    with due as (
      select id from callback_event where not is_queued and next_attempt_at <= (select clock_now())
       order by next_attempt_at limit ${limit} for update skip locked
    ), queued_event as (
      update callback_event e set is_queued = true from due where e.id = due.id
      returning e.id, e.attempts, e.partner_id
    )
    select queued_event.*, coalesce(p.is_failing, false) as is_failing
      from queued_event left join callback_endpoint p using (partner_id) order by id`.execute(db)
  return rows
}

export type DueEvent = {
  id: number
  partner_id: number
  webhook_id: string
  type: Schemas['EventType']
  data: object
  occurred_at: Date
  /** That of the request that caused the event, if its caller started a trace. */
  traceparent: string | null
  attempts: number
  callback_url: string | null
  is_disabled: boolean
  is_failing: boolean
  is_suspended: boolean
  /** Of a private sandbox. */
  is_private: boolean
  /** Since the event, if this is the first attempt. */
  lag_seconds: number | null
  /** The salts of the secrets that sign now, the newest first. */
  salts: string[]
}

type EventKey = Pick<DueEvent, 'id' | 'attempts'>

/**
 * Reads queued events, batched. `undefined`: the event is delivered or dead, or another attempt than this one
 * is due.
 */
export const findDueEvent = batched(async (db: Database, events: EventKey[]) => {
  const { rows } = await sql<DueEvent & { input_no: number }>`
    select q.input_no, e.id, e.partner_id, e.webhook_id, e.type, e.data, e.occurred_at, e.traceparent,
           e.attempts, p.callback_url, p.status = 'SUSPENDED' as is_suspended,
           d.disabled_at is not null as is_disabled, coalesce(d.is_failing, false) as is_failing,
           ${isPrivatePartner('e.partner_id')} as is_private,
           case when e.last_attempt_at is null
                then extract(epoch from (select clock_now()) - e.occurred_at)::float8 end as lag_seconds,
           array(select salt from (${SALTS_IN_USE}) s where s.partner_id = e.partner_id order by nth) as salts
      from unnest(${inputNumbers(events)}, ${list(column(events, 'id'), 'bigint')},
                  ${list(column(events, 'attempts'), 'bigint')}) as q (input_no, id, attempts)
      join callback_event e on e.id = q.id and e.attempts = q.attempts
      join partner p on p.id = e.partner_id left join callback_endpoint d on d.partner_id = e.partner_id
     where e.status = 'PENDING' and e.is_queued`.execute(db)
  return rows
})

/** Marks an event as not queued, so that the relay queues it again at once. */
export async function requeue(db: Database, { id, attempts }: EventKey): Promise<void> {
  await sql`
    update callback_event set is_queued = false
     where id = ${id} and status = 'PENDING' and is_queued and attempts = ${attempts}`.execute(db)
}

type AttemptResult = {
  id: number
  status: string
  outcome: string
  nextDelaySeconds: number | null
  disablesEndpoint: boolean
}

/**
 * Records attempts and the next state of their events, batched.
 *
 * - `input`: the results of the attempts.
 * - `statement_time`: the time, read once.
 * - `attempted_event`: the events, with the next attempt or their final state.
 * - `endpoint_state`: the state of each endpoint after the last of its attempts in the batch. Its row is
 *   written only if it changes.
 */
export const recordAttempt = batched(async (db: Database, results: AttemptResult[]) => {
  await sql`
    with input as (
      select * from unnest(${inputNumbers(results)}, ${list(column(results, 'id'), 'bigint')},
                           ${list(column(results, 'status'), 'text')},
                           ${list(column(results, 'outcome'), 'text')},
                           ${list(column(results, 'nextDelaySeconds'), 'float8')},
                           ${list(column(results, 'disablesEndpoint'), 'boolean')})
             as i (input_no, id, status, outcome, delay_seconds, disables_endpoint)
    ), statement_time as materialized (
      select clock_now() as now
    ), attempted_event as (
      update callback_event e
         set attempts = e.attempts + 1, last_attempt_at = now, last_outcome = i.outcome, status = i.status,
             is_queued = i.status <> 'PENDING',
             next_attempt_at = now + make_interval(secs => i.delay_seconds),
             delivered_at = case when i.status = 'DELIVERED' then now end
        from input i, statement_time where e.id = i.id
      returning e.partner_id, i.input_no, i.status, i.disables_endpoint
    ), endpoint_state as (
      select distinct on (partner_id) partner_id, status <> 'DELIVERED' as is_failing,
             case when bool_or(disables_endpoint) over (partition by partner_id) then now end as disabled_at
        from attempted_event, statement_time order by partner_id, input_no desc
    )
    insert into callback_endpoint as stored (partner_id, is_failing, disabled_at)
    select partner_id, s.is_failing, s.disabled_at
      from endpoint_state s left join callback_endpoint d using (partner_id)
     where coalesce(d.is_failing, false) <> s.is_failing or s.disabled_at is not null order by partner_id
    on conflict (partner_id) do update
       set is_failing = excluded.is_failing,
           disabled_at = coalesce(excluded.disabled_at, stored.disabled_at)`.execute(db)
  return []
})

const column = <Row, Name extends keyof Row>(rows: Row[], name: Name) => rows.map((row) => row[name])
const inputNumbers = (rows: unknown[]) =>
  list(
    rows.map((_, index) => index + 1),
    'bigint',
  )

/** Deletes events that are delivered or dead and occurred long ago; returns how many. */
export function deleteFinished(db: Database, keptDays: number, limit: number): Promise<number> {
  const isOld = sql`status <> 'PENDING' and occurred_at < ${NOW} - make_interval(days => ${keptDays})`
  return deleteOldRows(db, 'callback_event', ['id'], isOld, limit)
}
