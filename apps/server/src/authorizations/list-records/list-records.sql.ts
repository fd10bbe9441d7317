import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { MAX_ID } from '../../database/pagination.ts'
import type { Position } from '../record-position.ts'
import { isInState, type State, storedStatesOf } from '../record.sql.ts'
import { TRACKED_COLUMNS, type TrackedRow } from '../tracked-record.sql.ts'
import { isTrackingNo } from '../tracking-day.sql.ts'

type Page = { state: State | undefined; after: Position | undefined; limit: number }

/**
 * Records of the partner, newest first. Each state has a range of its own in the index
 * `authorization_record_partner`, and at most one page of each range is read. So a page costs the same on
 * every page, with every filter, and for any number of records. The first page begins at infinity, so that the
 * position is always a condition of the index. `partner_id + 0` is the expression of the index.
 */
export async function findRecordsOfPartner(
  db: Database,
  partnerId: number,
  { state, after, limit }: Page,
): Promise<(TrackedRow & { id: number })[]> {
  const { rows } = await sql<TrackedRow & { id: number }>`
    select page.* from unnest(${storedStatesOf(state)}::text[]) as stored (state) cross join lateral (
      select r.id, ${TRACKED_COLUMNS} from authorization_record r
       where r.partner_id + 0 = ${partnerId} and r.state = stored.state
         and (r.requested_at, r.id)
             < (${after?.requestedAt ?? 'infinity'}::timestamptz, ${after?.id ?? MAX_ID}::bigint)
         and ${isInState(state)}
       order by r.requested_at desc, r.id desc limit ${limit}
    ) page order by page.requested_at desc, page.id desc limit ${limit}`.execute(db)
  return rows
}

/** The record of the partner with this tracking number: one partition, and the key of the table. */
export async function findRecordOfPartner(
  db: Database,
  partnerId: number,
  trackingNo: string,
): Promise<TrackedRow | undefined> {
  const { rows } = await sql<TrackedRow>`
    select ${TRACKED_COLUMNS} from authorization_record r
     where r.partner_id = ${partnerId} and ${isTrackingNo('r.tracking_no', trackingNo)}`.execute(db)
  return rows[0]
}
