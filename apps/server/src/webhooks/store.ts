import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/store.ts'
import { batched, list } from '../database/batch.ts'
import type { Database } from '../database/connect.ts'

/**
 * An insert to stand inside the statement that makes the event true: one row for each row of the query `source` whose partner
 * has a callback URL. `source` has the column partner_id and what `data` speaks of. A subquery instead of a join: for a join PostgreSQL may
 * look for the partners with a callback URL first, among all.
 */
export function insertEvent(source: string, type: Schemas['EventType'], data: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into callback_event (partner_id, type, data)
    select s.partner_id, ${type}, ${data} from ${sql.raw(source)} s
     where (select p.callback_url is not null from partner p where p.id = s.partner_id)`
}

/** A new webhook secret for each row of the query `source`, which has the column id of a partner. Until then the one before signs, too. */
export function webhookSecretFrom(source: string, salt: string, previousUntil: Date | null): RawBuilder<unknown> {
  return sql`insert into webhook_secret (partner_id, salt, previous_until) select id, ${salt}, ${previousUntil}::timestamptz from ${sql.raw(source)}
    returning 1`
}

/** False: no such partner. Of two rotations at once one is the newer, and the other the one before. */
export async function insertWebhookSecret(
  db: Database,
  partnerCode: string,
  salt: string,
  previousUntil: Date | null,
  action: AdminAction,
): Promise<boolean> {
  const { rows } = await sql`
    with p as (
      select id from partner where partner_code = ${partnerCode}
    ), noted as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    ${webhookSecretFrom('p', salt, previousUntil)}`.execute(db)
  return rows.length === 1
}

/** The salts of the secrets that sign the partners' events now: the newest, and within the grace period the one before. */
export const SALTS_IN_USE = sql`
             select partner_id, salt, nth from (
               select partner_id, salt, row_number() over newest as nth, first_value(previous_until) over newest as previous_until
                 from webhook_secret window newest as (partition by partner_id order by id desc)
             ) w where nth = 1 or (nth = 2 and clock_now() < previous_until)`

export async function isAnythingDue(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from callback_event where not is_queued and next_attempt_at <= (select clock_now()) limit 1`.execute(db)
  return rows.length > 0
}

/** Takes events that are due, to be put into the job queue in the same transaction. */
export async function takeDue(
  db: Database,
  limit: number,
): Promise<{ id: number; attempts: number; partner_id: number; is_failing: boolean }[]> {
  const { rows } = await sql<{ id: number; attempts: number; partner_id: number; is_failing: boolean }>`
    with due as (
      select id from callback_event where not is_queued and next_attempt_at <= (select clock_now())
       order by next_attempt_at limit ${limit} for update skip locked
    ), taken as (
      update callback_event e set is_queued = true from due where e.id = due.id returning e.id, e.attempts, e.partner_id
    )
    select taken.*, coalesce(p.is_failing, false) as is_failing from taken left join callback_endpoint p using (partner_id) order by id`.execute(
    db,
  )
  return rows
}

export type DueEvent = {
  id: number
  partner_id: number
  webhook_id: string
  type: Schemas['EventType']
  data: object
  occurred_at: Date
  attempts: number
  callback_url: string | null
  is_disabled: boolean
  is_failing: boolean
  is_suspended: boolean
  /** Of the secrets that sign now, the newest first. */
  salts: string[]
}

type Wanted = Pick<DueEvent, 'id' | 'attempts'>

/** `undefined`: already delivered or given up, or another attempt than this one is due. One statement answers many callers. */
export const findDueEvent = batched(async (db: Database, wanted: Wanted[]) => {
  const { rows } = await sql<DueEvent & { place: number }>`
    select q.place, e.id, e.partner_id, e.webhook_id, e.type, e.data, e.occurred_at, e.attempts, p.callback_url,
           p.status = 'SUSPENDED' as is_suspended, d.disabled_at is not null as is_disabled, coalesce(d.is_failing, false) as is_failing,
           array(select salt from (${SALTS_IN_USE}) s where s.partner_id = e.partner_id order by nth) as salts
      from unnest(${places(wanted)}, ${list(column(wanted, 'id'), 'bigint')}, ${list(column(wanted, 'attempts'), 'bigint')}) as q (place, id, attempts)
      join callback_event e on e.id = q.id and e.attempts = q.attempts
      join partner p on p.id = e.partner_id left join callback_endpoint d on d.partner_id = e.partner_id
     where e.status = 'PENDING' and e.is_queued`.execute(db)
  return rows
})

/** Has an event taken again, at once, as if it had not been queued yet. */
export async function requeue(db: Database, { id, attempts }: Wanted): Promise<void> {
  await sql`
    update callback_event set is_queued = false
     where id = ${id} and status = 'PENDING' and is_queued and attempts = ${attempts}`.execute(db)
}

type Recorded = { id: number; status: string; outcome: string; nextDelaySeconds: number | null; disables: boolean }

/**
 * Writes down an attempt and what follows from it; the next one, if there is one, is taken when it is due. One statement serves many
 * callers. An endpoint's row is written only where it changes: of several attempts at one endpoint, the last one counts.
 */
export const recordAttempt = batched(async (db: Database, recorded: Recorded[]) => {
  await sql`
    with r as (
      select * from unnest(${places(recorded)}, ${list(column(recorded, 'id'), 'bigint')}, ${list(column(recorded, 'status'), 'text')},
                           ${list(column(recorded, 'outcome'), 'text')}, ${list(column(recorded, 'nextDelaySeconds'), 'float8')},
                           ${list(column(recorded, 'disables'), 'boolean')}) as r (place, id, status, outcome, delay_seconds, disables)
    ), clock_is as materialized (
      select clock_now() as now
    ), done as (
      update callback_event e
         set attempts = e.attempts + 1, last_attempt_at = now, last_outcome = r.outcome, status = r.status,
             is_queued = r.status <> 'PENDING', next_attempt_at = now + make_interval(secs => r.delay_seconds),
             delivered_at = case when r.status = 'DELIVERED' then now end
        from r, clock_is where e.id = r.id returning e.partner_id, r.place, r.status, r.disables
    ), learnt as (
      select distinct on (partner_id) partner_id, status <> 'DELIVERED' as is_failing,
             case when bool_or(disables) over (partition by partner_id) then now end as disabled_at
        from done, clock_is order by partner_id, place desc
    )
    insert into callback_endpoint as known (partner_id, is_failing, disabled_at)
    select partner_id, l.is_failing, l.disabled_at from learnt l left join callback_endpoint k using (partner_id)
     where coalesce(k.is_failing, false) <> l.is_failing or l.disabled_at is not null order by partner_id
    on conflict (partner_id) do update
       set is_failing = excluded.is_failing, disabled_at = coalesce(excluded.disabled_at, known.disabled_at)`.execute(db)
  return []
})

const column = <Row, Name extends keyof Row>(rows: Row[], name: Name) => rows.map((row) => row[name])
const places = (rows: unknown[]) =>
  list(
    rows.map((_, index) => index + 1),
    'bigint',
  )

/** Deletes events that have been finished for long; tells how many. */
export async function deleteFinished(db: Database, keptDays: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from callback_event where id in (
      select id from callback_event
       where status <> 'PENDING' and occurred_at < (select clock_now()) - make_interval(days => ${keptDays}) limit ${limit}
    ) returning 1`.execute(db)
  return rows.length
}
