import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { countForMetric } from '../database/count-for-metric.ts'

/** The number of events with this status. */
export const countEvents = (db: Database, status: 'PENDING' | 'DEAD'): Promise<number> =>
  countForMetric(db, sql`select from callback_event e where status = ${status}`)

/** The age of the oldest event that is pending; 0 if there is none. */
export async function readOldestPending(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_now() - occurred_at)::float8 as seconds from callback_event e
     where status = 'PENDING'
     order by status, id limit 1`.execute(db)
  return rows[0]?.seconds ?? 0
}
