import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { TRACKED_COLUMNS, type TrackedRow } from '../tracked-record.sql.ts'
import { isTrackingNo } from '../tracking-day.sql.ts'

/**
 * The records of all partners with this tracking number, without the citizen. One index probe per partner, so
 * no extra index is needed.
 */
export async function findRecordsOfAllPartners(
  db: Database,
  trackingNo: string,
): Promise<(TrackedRow & { partner_code: string })[]> {
  const { rows } = await sql<TrackedRow & { partner_code: string }>`
    select p.partner_code, ${TRACKED_COLUMNS}
      from partner p join authorization_record r on r.partner_id = p.id and ${isTrackingNo('r.tracking_no', trackingNo)}
     order by p.partner_code`.execute(db)
  return rows
}
