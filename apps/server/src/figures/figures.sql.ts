// The figures of partners, counted by partner and hour (UTC). They cost a row for each hour and kind of result, however many
// requests a partner sends, and reading them never touches the requests, events and records themselves.
import { type RawBuilder, sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'

/** 30 complete days are shown, of which the last ended up to two days ago: a citizen may have a day to answer. */
const KEPT_HOURS = 33 * 24

/** The partner is known by its id, or by one of the codes that a request names. */
export type NewFigure = {
  partner_id: number | null
  secret_code: string | null
  partner_code: string | null
  kind: 'request' | 'unlisted' | 'limit' | 'own' | 'range'
  operation: string
  outcome: string
  within_ms: number
  count: number
}

export const HOUR_NOW = sql`floor(extract(epoch from ${NOW}) / 3600)::int`

/** The end of an insert of rows of `partner_figure f`. Two processes never deadlock: the rows have a fixed order. */
export const ADD_TO_FIGURES = sql`
    order by partner_id, hour, kind, operation, outcome, within_ms
    on conflict (partner_id, hour, kind, operation, outcome, within_ms) do update
       set count = case f.kind when 'limit' then greatest(f.count, excluded.count)
                               else f.count + excluded.count end`

/** Adds to the figures of the present hour. A code that no partner has adds nothing. */
export async function addFigures(db: Database, figures: NewFigure[]): Promise<void> {
  await sql`
    insert into partner_figure as f (partner_id, hour, kind, operation, outcome, within_ms, count)
    select coalesce(i.partner_id, p.id, q.id) as partner_id, ${HOUR_NOW} as hour, i.kind, i.operation, i.outcome,
           i.within_ms, case i.kind when 'limit' then max(i.count) else sum(i.count) end
      from json_to_recordset(${JSON.stringify(figures)}::text::json)
             as i (partner_id bigint, secret_code text, partner_code text, kind text, operation text, outcome text,
                   within_ms int, count bigint)
      left join partner p on i.partner_id is null and p.secret_code = i.secret_code
      left join partner q on i.partner_id is null and q.partner_code = i.partner_code
     where coalesce(i.partner_id, p.id, q.id) is not null
     group by 1, 2, 3, 4, 5, 6 ${ADD_TO_FIGURES}`.execute(db)
}

/** The body of a CTE that counts the attempts of the CTE `attempts`, which has the columns partner_id and status. */
export const countAttempts = (attempts: string): RawBuilder<unknown> => sql`
    insert into partner_figure as f (partner_id, hour, kind, operation, outcome, within_ms, count)
    select partner_id, ${HOUR_NOW} as hour, 'attempt' as kind, '' as operation, status as outcome, 0 as within_ms, count(*)
      from ${sql.raw(attempts)} group by partner_id, status ${ADD_TO_FIGURES}`

export type Range = 'day' | 'month'
export type FigureRow = {
  starts_at: Date
  kind: NewFigure['kind'] | 'attempt'
  operation: string
  outcome: string
  within_ms: number
  count: number
}
/** Of a step in which nothing happened. */
type EmptyStep = { starts_at: Date; kind: null }

/** The hours of a day that begins at a time of the CTE `steps`. In a time zone off by half an hour, days begin with a full hour (UTC). */
const hourOf = (time: RawBuilder<unknown>) => sql`floor(extract(epoch from ${time}) / 3600)::int`

/** The figures of the last 24 hours by hour, or of 30 days by day, the oldest first. */
export async function findFigures(
  db: Database,
  partnerId: number,
  range: Range,
  timeZone: string,
): Promise<(FigureRow | EmptyStep)[]> {
  const { unit, count, zone } =
    range === 'day' ? { unit: 'hour', count: 24, zone: 'UTC' } : { unit: 'day', count: 30, zone: timeZone }
  const length = sql`('1 ' || ${unit}::text)::interval`
  const { rows } = await sql<FigureRow | EmptyStep>`
    with last as (
      select date_trunc(${unit}, ${NOW} at time zone ${zone}) as step
    ), steps as (
      select s at time zone ${zone} as starts_at, (s + ${length}) at time zone ${zone} as ends_at
        from last, generate_series(step - ${count - 1}::int * ${length}, step, ${length}) s
    )
    select s.starts_at, f.kind, f.operation, f.outcome, f.within_ms,
           (case f.kind when 'limit' then max(f.count) else sum(f.count) end)::bigint as count
      from steps s left join partner_figure f
        on f.partner_id = ${partnerId} and f.kind not in ('record', 'own', 'range')
       and f.hour >= ${hourOf(sql`s.starts_at`)} and f.hour < ${hourOf(sql`s.ends_at`)}
     group by 1, 2, 3, 4, 5 order by 1`.execute(db)
  return rows
}

/** `date`: `YYYY-MM-DD`, in the time zone. */
export type RecordCounts = Record<'accepted' | 'declined' | 'expired' | 'cancelled', number>

/** How the requests for authorization of the last 30 complete days ended. A day is complete when all of them have ended. */
export async function countRecordsByDay(
  db: Database,
  partnerId: number,
  timeZone: string,
): Promise<(RecordCounts & { date: string })[]> {
  const countOf = (state: string) =>
    sql`coalesce(sum(f.count) filter (where f.outcome = ${state}), 0)::bigint`
  const { rows } = await sql<RecordCounts & { date: string }>`
    with last as (
      select date_trunc('day', to_timestamp(until_second) at time zone ${timeZone}) as day from counted_records
    ), days as (
      select d as day, d at time zone ${timeZone} as starts_at, (d + interval '1 day') at time zone ${timeZone} as ends_at
        from last, generate_series(day - interval '30 days', day - interval '1 day', interval '1 day') d
    )
    select to_char(d.day, 'YYYY-MM-DD') as date, ${countOf('ACCEPTED')} as accepted, ${countOf('DECLINED')} as declined,
           ${countOf('EXPIRED')} as expired, ${countOf('CANCELLED')} as cancelled
      from days d left join partner_figure f
        on f.partner_id = ${partnerId} and f.kind = 'record'
       and f.hour >= ${hourOf(sql`d.starts_at`)} and f.hour < ${hourOf(sql`d.ends_at`)}
     group by d.day order by d.day`.execute(db)
  return rows
}

/** Deletes the figures of hours long past; returns how many. */
export function deleteOldFigures(db: Database, limit: number): Promise<number> {
  const key = ['partner_id', 'hour', 'kind', 'operation', 'outcome', 'within_ms']
  return deleteOldRows(db, 'partner_figure', key, sql`hour < ${HOUR_NOW} - ${KEPT_HOURS}::int`, limit)
}
