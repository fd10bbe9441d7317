// The partitions of `partner_request`, one for each day (UTC), made ahead and dropped with the retention. A day without a
// partition goes to `partner_request_default`, whose rows are deleted one by one.
import { sql } from 'kysely'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'

const DAYS_AHEAD = 7

/** Makes the missing partitions, from today on. Any number of processes may run this. */
export async function makeRequestPartitions(db: Database): Promise<void> {
  // One transaction for each day: the lock is short.
  for (let day = 0; day <= DAYS_AHEAD; day++)
    await sql`select make_request_partition((clock_now() at time zone 'UTC')::date + ${day}::int)`.execute(db)
}

/** Drops the oldest partition if the requests of its day may be deleted. False: there is none. */
export async function dropRequestPartition(db: Database, keptDays: number): Promise<boolean> {
  const { rows } = await sql`
    select from drop_request_partition(${keptDays}::int) name where name is not null`.execute(db)
  return rows.length === 1
}

/** Deletes old requests of days without a partition; returns how many. */
export async function deleteUndatedRequests(db: Database, keptDays: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from partner_request_default where ctid in (
      select ctid from partner_request_default
       where received_at < ${NOW} - make_interval(days => ${keptDays}) limit ${limit}
    ) returning 1`.execute(db)
  return rows.length
}
