// The partitions of `audit_event` and `audit_leaf`, one of each for a month (UTC), made ahead. The partition of a month ends as a
// whole when it is archived. Until then no row of it changes: each partition refuses updates, deletes and `truncate` itself.
//
// The partition key is the id of the event. It is the number of its month (January 2026 is 1) in the bits from 41 on, and a sequence
// number below them. So the keys of both tables stay unique, statements that have an id read one partition, and ids keep the order of
// the events. They stay below 2^53 for 340 years, so that a JSON number holds them.
//
// Two partitions are not those of a month. `..._past` has the events from before this design, whose ids are below those of all months.
// `..._default` takes the events whose partition is missing, so that no request fails. Housekeeping then gives it the name and the bounds
// of its months, and makes a new one.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/** How many months after this one have their partition already. Housekeeping can stand still for so long. */
export const MONTHS_AHEAD = 2

const IDS_OF_A_MONTH = 2 ** 41

/**
 * Makes the partitions of the next months that are missing. Any number of processes may run this. The partition of this month is never
 * made: an event that waits for the default partition meanwhile would be refused.
 */
export async function makeAuditPartitions(db: Database): Promise<void> {
  for (let month = 1; month <= MONTHS_AHEAD; month++)
    await sql`
      select make_audit_partition(((clock_now() at time zone 'UTC') + make_interval(months => ${month}::int))::date)`.execute(
      db,
    )
}

/**
 * Makes the default partition the partition of its months, so that they can be archived. False: there is nothing to do, or the
 * partition is larger than `mostBytes`. Requests wait meanwhile, about a second for a million events.
 */
export async function splitAuditDefault(db: Database, mostBytes: number): Promise<boolean> {
  const { rows } = await sql`
    select from split_audit_default(${mostBytes}::bigint) name where name is not null`.execute(db)
  return rows.length === 1
}

/** How many of the months after this one have their partition. */
export async function countMonthsAhead(db: Database): Promise<number> {
  const { rows } = await sql<{ months: number }>`
    select coalesce(min(month), ${MONTHS_AHEAD + 1}) - 1 as months from generate_series(1, ${MONTHS_AHEAD}::int) month
     where to_regclass('audit_event_' || to_char((clock_now() at time zone 'UTC')
                       + make_interval(months => month), 'YYYYMM')) is null`.execute(db)
  return rows[0]!.months
}

/** The month of an event: 0 for an id from before the partitions. */
const monthOf = (id: number): number => Math.max(0, Math.floor(id / IDS_OF_A_MONTH))

/**
 * The condition that an event is of the same month as another one, or later, or a month earlier. Transactions take
 * minutes, so events that are sealed after the other one meet it. PostgreSQL plans the partitions of these months only: the
 * bounds are literals, since it would plan all partitions in a prepared statement with parameters.
 */
export const fromMonthBefore = (column: string, id: number): RawBuilder<unknown> =>
  monthOf(id) < 2 ? sql`true` : sql`${sql.ref(column)} >= ${sql.lit((monthOf(id) - 1) * IDS_OF_A_MONTH)}`

/** The condition that an event may have been sealed together with another one, by its id. */
export const sealedNear = (column: string, id: number): RawBuilder<unknown> =>
  monthOf(id) === 0
    ? sql`true`
    : sql`${sql.ref(column)} < ${sql.lit((monthOf(id) + 2) * IDS_OF_A_MONTH)}
          and (${fromMonthBefore(column, id)} or ${sql.ref(column)} < ${sql.lit(IDS_OF_A_MONTH)})`

/** The least id after the events of a partition: `202611`, or `past`. */
export const idAfter = (partition: string): number =>
  partition === 'past'
    ? IDS_OF_A_MONTH
    : idFloorOf(`${partition.slice(0, 4)}-${partition.slice(4)}`) + IDS_OF_A_MONTH

/** The least id of the events of the month of a time in ISO 8601. */
export function idFloorOf(time: string): number {
  const [year, month] = time.split('-').map(Number)
  return Math.max(1, (year! - 2026) * 12 + month!) * IDS_OF_A_MONTH
}
