import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { NOW } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { deleteOldRows } from '../../database/delete-old-rows.ts'
import { limitsOf, type OwnLimits } from '../partner.ts'

const SHOWN_DAYS = 30

export type Usage = { partner_id: number; day: string; used: number }

/**
 * Adds to the use of partners; returns the sums. Rows are written in a fixed order, so that two processes
 * never deadlock.
 */
export async function addUsage(db: Database, added: Usage[]): Promise<Usage[]> {
  const column = <Name extends keyof Usage>(name: Name) => added.map((usage) => usage[name])
  const { rows } = await sql<Usage>`
    insert into partner_usage (partner_id, day, used)
    select * from unnest(${column('partner_id')}::bigint[], ${column('day')}::date[],
                         ${column('used')}::bigint[])
     order by 1, 2
    on conflict (partner_id, day) do update set used = partner_usage.used + excluded.used
    returning partner_id, to_char(day, 'YYYY-MM-DD') as day, used`.execute(db)
  return rows
}

/** The day in the time zone, and how much of a quota the partner used on it. `undefined`: no such partner. */
export async function findUseToday(
  db: Database,
  partnerCode: string,
  timeZone: string,
): Promise<{ id: number; today: string; used_today: number } | undefined> {
  const { rows } = await sql<{ id: number; today: string; used_today: number }>`
    select p.id, to_char(today, 'YYYY-MM-DD') as today, coalesce(u.used, 0)::bigint as used_today
      from (select (clock_now() at time zone ${timeZone})::date as today) t
      join partner p on p.partner_code = ${partnerCode}
      left join partner_usage u on u.partner_id = p.id and u.day = today`.execute(db)
  return rows[0]
}

/** Seconds until midnight in the time zone. */
export async function readSecondsLeftToday(db: Database, timeZone: string): Promise<number> {
  const { rows } = await sql<{ seconds_left: number }>`
    select ceil(extract(epoch from
             (date_trunc('day', now at time zone ${timeZone}) + interval '1 day')
               at time zone ${timeZone} - now
           ))::int as seconds_left
      from (select clock_now() as now) c`.execute(db)
  return rows[0]!.seconds_left
}

/** Deletes the counts of days long past, of which none is shown any more; returns how many. */
export function deleteOldUsage(db: Database, keptDays: number, limit: number): Promise<number> {
  const isOld = sql`day < ${NOW}::date - ${Math.max(keptDays, SHOWN_DAYS)}::int`
  return deleteOldRows(db, 'partner_usage', ['partner_id', 'day'], isOld, limit)
}

/** The partner's own limits, and how much of a daily quota it used on each of the last 30 days, the oldest first. */
export async function findQuotaUse(
  db: Database,
  partnerId: number,
  timeZone: string,
): Promise<OwnLimits & { days: { date: string; used: number }[] }> {
  const { rows } = await sql<{
    limits: Schemas['PartnerLimitsChange']
    is_slowed: boolean
    date: string
    used: number
  }>`
    select p.limits, p.is_slowed, to_char(d, 'YYYY-MM-DD') as date, coalesce(u.used, 0)::bigint as used
      from (select date_trunc('day', clock_now() at time zone ${timeZone}) as today) t
     cross join generate_series(today - ${SHOWN_DAYS - 1}::int * interval '1 day', today, interval '1 day') d
      join partner p on p.id = ${partnerId}
      left join partner_usage u on u.partner_id = p.id and u.day = d::date order by d`.execute(db)
  const { limits, is_slowed } = rows[0]!
  return { limits: limitsOf(limits), is_slowed, days: rows.map(({ date, used }) => ({ date, used })) }
}
