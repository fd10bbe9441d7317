import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type State, storedStatesOf } from '../record.sql.ts'

/** The citizen's id and the position of the present. `undefined`: the registry does not know the citizen. */
export async function findListener(
  db: Database,
  uniqidHmacs: string[],
): Promise<{ id: number; now: Date } | undefined> {
  const { rows } = await sql<{ id: number; now: Date }>`
    select id, clock_now() + advance_of_citizen(id) as now
      from citizen where uniqid_hmac = any(${uniqidHmacs})`.execute(db)
  return rows[0]
}

/**
 * A record reached a state at a time. `position`: this time plus `advance_of_citizen`; it never changes.
 * `is_current`: the record is still in that state.
 */
export type StateChange = { tracking_no: string; state: State; at: Date; position: Date; is_current: boolean }

/** Positions. Without `until`, everything from `since` on. */
type Span = { since: Date; until?: Date | undefined }

export const MAX_CHANGES = 1_000

const COLUMNS = sql`
  r.tracking_no, r.scope, r.state, r.requested_at, r.accepted_at, coalesce(r.ended_at, r.expires_at) as ended_at, r.expires_at`

/**
 * The first changes of the citizen's records in a span, oldest first. A record keeps the time of each state: when it was
 * requested (or viewed), when it was accepted, and when it ended.
 *
 * - `span`: in the times of the records.
 * - `own`: two ranges of indexes, however many records the citizen has. Within `answerSeconds` of its request, a record
 *   has changed for the last time, or can only be revoked.
 * - `state_now`: a pending record counts as expired two seconds after its time, since an answer in time may
 *   still commit. Normally the expiry worker has ended the record before that.
 * - `change`: one row for each state that the record has reached.
 */
export async function listChanges(
  db: Database,
  citizenId: number,
  { since, until }: Span,
  answerSeconds: number,
): Promise<StateChange[]> {
  const { rows } = await sql<StateChange>`
    with span as materialized (
      select advance, ${since}::timestamptz - advance as since, ${until ?? 'infinity'}::timestamptz - advance as until,
             ${since}::timestamptz - advance - make_interval(secs => ${answerSeconds}) as earliest
        from advance_of_citizen(${citizenId}) advance
    ), own as (
      select ${COLUMNS} from authorization_record r
       where r.citizen_id = ${citizenId} and r.state = any(${storedStatesOf(undefined)}::text[])
         and r.requested_at >= (select earliest from span) and r.requested_at < (select until from span)
         and r.tracking_no >= (select tracking_time(earliest) from span)
      union
      select ${COLUMNS} from authorization_record r
       where r.citizen_id = ${citizenId} and r.state = 'REVOKED'
         and r.ended_at >= (select since from span) and r.ended_at < (select until from span)
    )
    select r.tracking_no, change.state, change.at, change.at + span.advance as position,
           change.state = r.state_now as is_current
      from span cross join (
        select own.*,
               case when state = 'PENDING' and clock_now() >= expires_at + interval '2 s'
                    then 'EXPIRED' else state end as state_now
          from own
      ) r
     cross join lateral (values
       (1, case when r.scope = 'PROFILE_VIEW' then 'VIEWED' else 'PENDING' end, r.requested_at),
       (2, 'ACCEPTED', r.accepted_at),
       (3, r.state_now, case when r.state_now not in ('PENDING', 'ACCEPTED', 'VIEWED') then r.ended_at end)
     ) change (step, state, at)
     where change.at >= span.since and change.at < span.until
     order by change.at, change.step limit ${MAX_CHANGES}`.execute(db)
  return rows
}
