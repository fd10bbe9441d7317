import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type State, STATE_NOW } from '../../store.ts'

/** The citizen's number in the database, and what time it is there; `undefined`: the registry does not know them. */
export async function findListener(db: Database, uniqidMacs: string[]): Promise<{ id: number; now: Date } | undefined> {
  const { rows } = await sql<{
    id: number
    now: Date
  }>`select id, clock_now() as now from citizen where uniqid_mac = any(${uniqidMacs})`.execute(db)
  return rows[0]
}

export type ChangedRecord = { tracking_no: string; state: State; at: Date }

/** Records of the citizen's that came or changed since then, in that order, each as it is now. */
export async function listChangedSince(db: Database, citizenId: number, since: Date): Promise<ChangedRecord[]> {
  const { rows } = await sql<ChangedRecord>`
    select tracking_no, state, at from (
      select r.tracking_no, ${STATE_NOW} as state,
             case when r.state = 'PENDING' and clock_now() >= r.expires_at then r.expires_at else coalesce(r.ended_at, r.requested_at) end as at
        from authorization_record r where r.citizen_id = ${citizenId}
    ) changed
     where at >= ${since} order by at limit 1000`.execute(db)
  return rows
}
