// The partitions of `authorization_record`, one for each day (UTC), made ahead and dropped when the retention of their records is
// over. A dropped partition costs milliseconds and leaves nothing to vacuum; deleted rows and their copies of profiles would stay
// on disk until PostgreSQL vacuums a table of billions of rows.
//
// The partition key is the tracking number, whose first 7 characters are the second in which the record was made. So each statement
// that has a tracking number reads one partition, and a partner's key (partner, tracking number) is unique in the whole table.
// Only lists and periodic tasks read them all.
//
// Two partitions are not those of a day. `authorization_record_untimed` has the records from before this design, whose numbers are
// random. `authorization_record_default` takes the records whose partition is missing, so that no request fails, and the
// records that outlive their day because they were revoked late. Their rows are deleted one by one.
//
// Two functions in the migration make and drop partitions, on every server. pg_partman is not used: the versions of Debian and of
// managed services cannot decode the time in a text key, and PGlite has no extension of this name.
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/** How many days have their partition already. Housekeeping can stand still for so long. */
export const DAYS_AHEAD = 7

/** Makes the partitions that are missing, from yesterday on: `wait_before_request` reads up to a day. Any number of processes may run this. */
export async function makeRecordPartitions(db: Database): Promise<void> {
  // One transaction for each day: the locks on the referenced tables are short.
  for (let day = -1; day <= DAYS_AHEAD; day++)
    await sql`select make_record_partition((clock_now() at time zone 'UTC')::date + ${day}::int)`.execute(db)
}

/** Drops the oldest partition if the records of its day may be deleted. False: there is none. */
export async function dropRecordPartition(db: Database, keptDays: number): Promise<boolean> {
  const { rows } = await sql`
    select from drop_record_partition(${keptDays}::int) name where name is not null`.execute(db)
  return rows.length === 1
}

/** How many of the days after today have their partition. */
export async function countDaysAhead(db: Database): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select coalesce(min(day), ${DAYS_AHEAD + 1}) - 1 as days from generate_series(1, ${DAYS_AHEAD}::int) day
     where to_regclass('authorization_record_' || to_char((clock_now() at time zone 'UTC')::date + day, 'YYYYMMDD'))
           is null`.execute(db)
  return rows[0]!.days
}
