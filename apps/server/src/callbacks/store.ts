import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { auditBy, type Deed } from '../audit/store.ts'
import type { Database } from '../database/connect.ts'

/**
 * An insert to stand inside the statement that makes the event true: one row for each row of the query `source` whose partner
 * has a callback URL. `source` has the column partner_id and what `data` speaks of.
 */
export function eventFrom(source: string, type: Schemas['EventType'], data: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into callback_event (partner_id, type, data)
    select s.partner_id, ${type}, ${data} from ${sql.raw(source)} s join partner p on p.id = s.partner_id
     where p.callback_url is not null`
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
  deed: Deed,
): Promise<boolean> {
  const { rows } = await sql`
    with p as (
      select id from partner where partner_code = ${partnerCode}
    ), noted as (${auditBy({ ...deed, from: 'p', partner: 'p.id' })})
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

/** `undefined`: delivered or given up meanwhile, or another attempt than this one is due. */
export async function findDueEvent(db: Database, id: number, attempts: number): Promise<DueEvent | undefined> {
  const { rows } = await sql<DueEvent>`
    select e.id, e.partner_id, e.webhook_id, e.type, e.data, e.occurred_at, e.attempts, p.callback_url, p.status = 'SUSPENDED' as is_suspended,
           d.disabled_at is not null as is_disabled, coalesce(d.is_failing, false) as is_failing,
           array(select salt from (${SALTS_IN_USE}) s where s.partner_id = e.partner_id order by nth) as salts
      from callback_event e join partner p on p.id = e.partner_id left join callback_endpoint d on d.partner_id = e.partner_id
     where e.id = ${id} and e.status = 'PENDING' and e.is_queued and e.attempts = ${attempts}`.execute(db)
  return rows[0]
}

/** Has an event taken again, at once, as if it had not been queued yet. */
export async function putBack(db: Database, { id, attempts }: Pick<DueEvent, 'id' | 'attempts'>): Promise<void> {
  await sql`
    update callback_event set is_queued = false
     where id = ${id} and status = 'PENDING' and is_queued and attempts = ${attempts}`.execute(db)
}

type Recorded = { status: string; outcome: string; nextDelaySeconds: number | null; disables: boolean }

/** Writes down an attempt and what follows from it; the next one, if there is one, is taken when it is due. */
export async function recordAttempt(db: Database, event: Pick<DueEvent, 'id' | 'partner_id'>, recorded: Recorded): Promise<void> {
  const { status, outcome, nextDelaySeconds, disables } = recorded
  const isFailing = status !== 'DELIVERED'
  await sql`
    with done as (
      update callback_event
         set attempts = attempts + 1, last_attempt_at = clock_now(), last_outcome = ${outcome}, status = ${status},
             is_queued = ${status !== 'PENDING'}, next_attempt_at = clock_now() + make_interval(secs => ${nextDelaySeconds}),
             delivered_at = case when ${status} = 'DELIVERED' then clock_now() end
       where id = ${event.id} returning partner_id
    )
    insert into callback_endpoint as known (partner_id, is_failing, disabled_at)
    select partner_id, ${isFailing}, case when ${disables} then clock_now() end from done
    on conflict (partner_id) do update
       set is_failing = excluded.is_failing, disabled_at = coalesce(excluded.disabled_at, known.disabled_at)
     where known.is_failing <> excluded.is_failing or excluded.disabled_at is not null`.execute(db)
}

/** Deletes events that have been finished for long; tells how many. */
export async function deleteFinished(db: Database, keptDays: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from callback_event where id in (
      select id from callback_event
       where status <> 'PENDING' and occurred_at < (select clock_now()) - make_interval(days => ${keptDays}) limit ${limit}
    ) returning 1`.execute(db)
  return rows.length
}
