// What the guard measures. It reads the figures of an hour by their index, the same hour of 14 days, and the disputes of 15 days:
// never the log of requests.
//
// The statements have 2 s, and no hash or merge joins (`database/connect.ts`): the rows that they see grow with the number of
// partners, and no faster. Measured with 5,000 partners that are busy in every hour and 225,000 disputes, on two cores that had other
// work: 0.5 s for an hour, 0.5 s for the disputes and 0.2 s for the ranges.
import { sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { HOUR_NOW } from '../figures/figures.sql.ts'
import { type HourMeasure, LEAST_ANSWERS } from './anomaly.ts'

/** The least requests of an hour that are compared: those of the rule `night`. */
const LEAST_COMPARED = 50
const DAYS = 14
const LEAST_DAYS = 7
const NIGHT_ENDS_HOUR = 5

/** An hour, and the first one of a partner `p` that the guard knows. */
const clockAt = (hoursAgo: number) =>
  sql`clock as materialized (select ${HOUR_NOW} - ${hoursAgo}::int as hour, first_hour from anomaly_check)`
const FIRST_HOUR = sql`greatest(clock.first_hour, floor(extract(epoch from p.created_at) / 3600)::int)`
/**
 * The row `p` of a partner. `offset 0` makes PostgreSQL search by the key, also if it expects one row because the tables
 * were empty when it analyzed them: it then read all partners for each partner.
 */
const partnerOf = (id: string) =>
  sql`cross join lateral (select created_at from partner where id = ${sql.raw(id)} offset 0) p`

const SUMS = sql`
  coalesce(sum(f.count) filter (where f.kind = 'own'), 0)::int as requests,
  coalesce(sum(f.count) filter (where f.kind = 'own' and f.outcome = 'refused'), 0)::int as refused,
  coalesce(sum(f.count) filter (where f.kind = 'record' and f.outcome in ('ACCEPTED', 'DECLINED')), 0)::int as answers,
  coalesce(sum(f.count) filter (where f.kind = 'record' and f.outcome = 'DECLINED'), 0)::int as declined`
const median = (column: string) =>
  sql`coalesce(percentile_cont(0.5) within group (order by ${sql.raw(column)}), 0)`
/** The value of the present day. Null: the partner has none. */
const presentOf = (column: string) => sql.raw(`max(${column}) filter (where ago = 0) as ${column}`)

/**
 * An hour of the partners with a baseline of seven days. Hours without a request, or without an answer, count for no share.
 *
 * - `measured`: the sums of each partner in this hour, and in the same hour of the days before.
 * - `present`: one row for each partner, with arrays of its days. The baseline then needs no join between partners.
 */
export async function measureHour(db: Database, timeZone: string, hoursAgo: number): Promise<HourMeasure[]> {
  const { rows } = await sql<HourMeasure>`
    with ${clockAt(hoursAgo)}, measured as (
      select ago, m.* from clock cross join generate_series(0, ${DAYS}::int) ago cross join lateral (
        select f.partner_id, ${SUMS} from partner_figure f
         where f.hour = clock.hour - 24 * ago and f.kind in ('own', 'record') group by f.partner_id
      ) m
    ), present as (
      select partner_id, ${presentOf('requests')}, ${presentOf('refused')}, ${presentOf('answers')}, ${presentOf('declined')},
             array_agg(ago) as ago, array_agg(requests) as all_requests, array_agg(refused) as all_refused,
             array_agg(answers) as all_answers, array_agg(declined) as all_declined
        from measured group by partner_id
    )
    select h.partner_id, h.requests, h.refused, h.answers, h.declined, b.usual_requests, b.usual_refused, b.usual_declined,
           extract(hour from to_timestamp(clock.hour * 3600.0) at time zone ${timeZone}) < ${NIGHT_ENDS_HOUR}::int as is_night
      from present h ${partnerOf('h.partner_id')} cross join clock cross join lateral (
        select count(*) as days, ${median('coalesce(h.all_requests[i], 0)')} as usual_requests,
               ${median('100.0 * h.all_refused[i] / nullif(h.all_requests[i], 0)')} as usual_refused,
               ${median('100.0 * h.all_declined[i] / nullif(h.all_answers[i], 0)')} as usual_declined
          from generate_series(1, ${DAYS}::int) day cross join array_position(h.ago, day) i
         where clock.hour - 24 * day >= ${FIRST_HOUR}
      ) b
     where b.days >= ${LEAST_DAYS} and (h.requests >= ${LEAST_COMPARED} or h.answers >= ${LEAST_ANSWERS})`.execute(
    db,
  )
  return rows
}

/**
 * The disputes of the last 24 hours, and the median of the days before, of partners that are a week old.
 *
 * - `counted`: the disputes of each partner and day.
 * - `present`: one row for each partner, with arrays of its days. The baseline then needs no join between partners.
 */
export async function measureDisputes(
  db: Database,
): Promise<{ partner_id: number; disputes: number; usual: number }[]> {
  const { rows } = await sql<{ partner_id: number; disputes: number; usual: number }>`
    with clock as materialized (select clock_now() as now), counted as (
      select d.partner_id, floor(extract(epoch from clock.now - d.disputed_at) / 86400)::int as ago, count(*)::int as disputes
        from clock join dispute d on d.disputed_at > clock.now - make_interval(days => ${DAYS + 1}::int)
       group by 1, 2
    ), present as (
      select partner_id, ${presentOf('disputes')}, array_agg(ago) as ago, array_agg(disputes) as all_disputes
        from counted group by partner_id
    )
    select c.partner_id, c.disputes, b.usual
      from present c ${partnerOf('c.partner_id')} cross join clock cross join lateral (
        select count(*) as days, ${median('coalesce(c.all_disputes[i], 0)')} as usual
          from generate_series(1, ${DAYS}::int) day cross join array_position(c.ago, day) i
         where clock.now - make_interval(days => day) >= p.created_at
      ) b where c.disputes is not null and b.days >= ${LEAST_DAYS}`.execute(db)
  return rows
}

/**
 * The ranges of addresses from which partners sent requests in the last 24 hours, and not in the 32 days before. Only of
 * partners that the guard has known for a week and that sent requests before.
 *
 * - `known`: each range of the partner once, with its first hour: one search of the index for each.
 */
export async function findNewRanges(db: Database): Promise<{ partner_id: number; ranges: string[] }[]> {
  const { rows } = await sql<{ partner_id: number; ranges: string[] }>`
    with ${clockAt(0)}
    select p.id as partner_id, r.ranges from clock cross join partner p cross join lateral (
        with recursive known as (
          (
            select operation, hour from partner_figure where kind = 'range' and partner_id = p.id
             order by operation, hour limit 1
          ) union all
          select n.operation, n.hour from known cross join lateral (
            select operation, hour from partner_figure
             where kind = 'range' and partner_id = p.id and operation > known.operation order by operation, hour limit 1
          ) n
        )
        select array_agg(operation order by operation) filter (where hour between clock.hour - 23 and clock.hour) as ranges,
               min(hour) as first_hour
          from known
      ) r
     where ${FIRST_HOUR} <= clock.hour - 24 * ${LEAST_DAYS}::int
       and r.ranges is not null and r.first_hour < clock.hour - 23`.execute(db)
  return rows
}

/** Locks the guard for this transaction, if it has not run for `everySeconds`. Any number of processes may try. */
export async function takeTurn(tx: Database, everySeconds: number): Promise<boolean> {
  const { rows } = await sql`
    update anomaly_check set checked_second = floor(extract(epoch from ${NOW}))::bigint
     where ctid in (
       select ctid from anomaly_check
        where checked_second <= floor(extract(epoch from ${NOW}))::bigint - ${everySeconds}::int
           -- The clock was ahead for a moment.
           or checked_second > floor(extract(epoch from ${NOW}))::bigint
          for update skip locked
     ) returning 1`.execute(tx)
  return rows.length > 0
}
