import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { STATE_NOW } from '../record.sql.ts'

type Times = { requested_at: Date; expires_at: Date; accepted_at: Date | null; ended_at: Date | null }

export type TrackedRow = Omit<Schemas['TrackedAuthorization'], keyof Times> & Times

/**
 * The records of all partners with this tracking number, without the citizen. One index probe per partner, so
 * no extra index is needed.
 */
export async function findRecordsOfAllPartners(db: Database, trackingNo: string): Promise<TrackedRow[]> {
  const { rows } = await sql<TrackedRow>`
    select r.tracking_no, p.partner_code, r.scope, ${STATE_NOW} as state,
           r.requested_at, r.expires_at, r.accepted_at,
           case when ${STATE_NOW} = 'EXPIRED' then r.expires_at else r.ended_at end as ended_at
      from partner p join authorization_record r on r.partner_id = p.id and r.tracking_no = ${trackingNo}
     order by p.partner_code`.execute(db)
  return rows
}
