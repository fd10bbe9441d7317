import { sql } from 'kysely'
import { idOfCitizen } from '../citizens/id-of-citizen.sql.ts'
import type { Database } from '../database/connect.ts'
import { type State, STATE_NOW } from './record.sql.ts'
import { isTrackingNo } from './tracking-day.sql.ts'

export type ConsentRow = {
  id: number
  tracking_no: string
  state: State
  partner_code: string
  name: string
  purpose: string
  requested_at: Date
  expires_at: Date
  accepted_at: Date | null
  ended_at: Date | null
  age_seconds: number
}

/** The columns of `ConsentRow`, of a record `r` and its partner `p`. */
export const CONSENT_COLUMNS = sql`r.id, r.tracking_no, ${STATE_NOW} as state, p.partner_code, p.name, p.purpose,
  r.requested_at, r.expires_at, r.accepted_at, r.ended_at,
  greatest(0, floor(extract(epoch from clock_now() - r.requested_at)))::int as age_seconds`

/**
 * The citizen's id is a subquery, not a join: PostgreSQL then reads only this citizen's records, in the order
 * of their index.
 */
export async function findConsent(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
): Promise<ConsentRow | undefined> {
  const { rows } = await sql<ConsentRow>`
    select ${CONSENT_COLUMNS}
      from authorization_record r join partner p on p.id = r.partner_id
     where r.citizen_id = ${idOfCitizen(uniqidHmacs)}
       and ${isTrackingNo('r.tracking_no', trackingNo)}`.execute(db)
  return rows[0]
}
