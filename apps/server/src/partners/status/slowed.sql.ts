import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** The key of the advisory lock. Nothing else uses this number. */
const SLOWING_LOCK_KEY = 7_410_205

/** Slows the partners that an open anomaly slows, unless it is acknowledged, and no others. */
export async function updateSlowed(tx: Database): Promise<void> {
  // A statement of its own, so that the next one sees what it waited for: the guard, or another acknowledgment.
  await sql`select pg_advisory_xact_lock(${sql.lit(SLOWING_LOCK_KEY)})`.execute(tx)
  await sql`
    with slowed as (
      select partner_id as id from anomaly where ended_at is null and action = 'slow' and acknowledged_at is null
    )
    update partner p set is_slowed = not p.is_slowed where p.is_slowed <> (p.id in (select id from slowed))`.execute(
    tx,
  )
}
