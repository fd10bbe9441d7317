import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { countForMetric } from '../database/count-for-metric.ts'
import { isPrivatePartner } from '../database/private-sandbox.ts'

/** The number of events with this status, without private sandboxes. */
export const countEvents = (db: Database, status: 'PENDING' | 'DEAD'): Promise<number> =>
  countForMetric(
    db,
    sql`select from callback_event e where status = ${status} and not ${isPrivatePartner('e.partner_id')}`,
  )

/** The age of the oldest event that is pending; 0 if there is none. Without private sandboxes. */
export async function readOldestPending(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_now() - occurred_at)::float8 as seconds from callback_event e
     where status = 'PENDING' and not ${isPrivatePartner('e.partner_id')}
     order by status, id limit 1`.execute(db)
  return rows[0]?.seconds ?? 0
}
