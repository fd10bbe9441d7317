import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

/** Slows the partners that an open anomaly slows, unless it is acknowledged, and no others. */
export async function updateSlowed(tx: Database): Promise<void> {
  await sql`
    with slowed as (
      select partner_id as id from anomaly where ended_at is null and action = 'slow' and acknowledged_at is null
    )
    update partner p set is_slowed = not p.is_slowed where p.is_slowed <> (p.id in (select id from slowed))`.execute(
    tx,
  )
}
