import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { State } from '../record.sql.ts'

/** The citizen's id and the database's time. `undefined`: the registry does not know the citizen. */
export async function findListener(
  db: Database,
  uniqidHmacs: string[],
): Promise<{ id: number; now: Date } | undefined> {
  const { rows } = await sql<{ id: number; now: Date }>`
    select id, clock_now() as now from citizen where uniqid_hmac = any(${uniqidHmacs})`.execute(db)
  return rows[0]
}

/** A record reached a state at a time. `is_current`: the record is still in that state. */
export type StateChange = { tracking_no: string; state: State; at: Date; is_current: boolean }

export const MAX_CHANGES = 1_000

/**
 * The changes of the citizen's records since then, oldest first. A record keeps the time of each state: when
 * it was requested (or viewed), when it was accepted, and when it ended.
 *
 * - `state_now`: a pending record counts as expired two seconds after its time, since an answer in time may
 *   still commit. Normally the expiry worker has ended the record before that.
 * - `change`: one row for each state that the record has reached.
 */
export async function listChangesSince(db: Database, citizenId: number, since: Date): Promise<StateChange[]> {
  const { rows } = await sql<StateChange>`
    select r.tracking_no, change.state, change.at, change.state = r.state_now as is_current
      from (
        select r.*,
               case when r.state = 'PENDING' and clock_now() >= r.expires_at + interval '2 s'
                    then 'EXPIRED' else r.state end as state_now
          from authorization_record r where r.citizen_id = ${citizenId}
      ) r
     cross join lateral (values
       (1, case when r.scope = 'PROFILE_VIEW' then 'VIEWED' else 'PENDING' end, r.requested_at),
       (2, 'ACCEPTED', r.accepted_at),
       (3, r.state_now, case when r.state_now not in ('PENDING', 'ACCEPTED', 'VIEWED')
                             then coalesce(r.ended_at, r.expires_at) end)
     ) change (step, state, at)
     where change.at >= ${since} order by change.at, change.step limit ${MAX_CHANGES}`.execute(db)
  return rows
}
