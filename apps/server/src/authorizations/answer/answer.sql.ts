import { sql } from 'kysely'
import { type RequestContext, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import type { EncryptionKeys } from '../../citizens/citizen-encryption.ts'
import { citizenAllows, lockCitizens } from '../../citizens/citizen-lock.sql.ts'
import { idOfCitizen } from '../../citizens/id-of-citizen.sql.ts'
import { lockTime } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { RECORD_NOTICE } from '../../database/notifications.ts'
import { insertAuditAndEvent } from '../record.sql.ts'
import { isTrackingNo } from '../tracking-day.sql.ts'

const EVENT_OF = { ACCEPTED: 'authorization.accepted', DECLINED: 'authorization.declined' } as const

/**
 * The encrypted profile that accepting a pending record copies. With the state in the subquery, PostgreSQL might read all pending
 * records, by their index, if it analyzed the table while few were pending.
 */
export async function findPendingProfile(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
): Promise<(EncryptionKeys & { id: number; profile: string }) | undefined> {
  const { rows } = await sql<EncryptionKeys & { id: number; profile: string }>`
    select r.id, c.subject, c.data_key, c.profile
      from citizen c cross join lateral (
        select id, state from authorization_record
         where citizen_id = c.id and ${isTrackingNo('tracking_no', trackingNo)} limit 1
      ) r where c.uniqid_hmac = any(${uniqidHmacs}) and r.state = 'PENDING'`.execute(db)
  return rows[0]
}

/** `snapshot`: a copy of `profile`, the encrypted profile of the citizen. */
type Answer =
  | { answer: 'ACCEPTED'; profile: string; snapshot: string; resultTtlSeconds: number }
  | { answer: 'DECLINED' }

/**
 * Records the citizen's answer to a pending record; returns how many seconds after the request. `undefined`: nothing
 * has changed.
 *
 * - `locked_citizen`, `locked_record`: the citizen, with the shared lock, and then the locked record. `lock_time` is
 *   read after these locks, so an answer that waited for a lock until the record expired is too late.
 * - `r`: the answered record. Only a pending, unexpired record changes, so a record is answered once; it is
 *   accepted only if the citizen's preferences still allow the partner, and the profile is still the one that was
 *   copied. Accepting stores the copy.
 * - `audit`, `event`: committed together with the answer; without the audit row the statement fails.
 */
export async function answerPending(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
  decision: Answer,
  origin: RequestContext,
): Promise<number | undefined> {
  const { answer } = decision
  const [profile, snapshot, seconds] =
    answer === 'ACCEPTED'
      ? [decision.profile, decision.snapshot, decision.resultTtlSeconds]
      : [null, null, null]
  const { rows } = await sql<{ seconds: number }>`
    with ${lockCitizens('shared', idOfCitizen(uniqidHmacs))}, locked_record as (
      select partner_id, citizen_id, state, expires_at from authorization_record
       where citizen_id = (select id from locked_citizen)
         and ${isTrackingNo('tracking_no', trackingNo)} for update
    ), ${lockTime('locked_record')}, r as (
      update authorization_record r
         set state = ${answer}, ended_at = now,
             accepted_at = case when ${answer} = 'ACCEPTED' then now end,
             snapshot = ${snapshot}, snapshot_until = now + make_interval(secs => ${seconds})
        from lock_time, locked_record l join locked_citizen c on c.id = l.citizen_id
       where r.partner_id = l.partner_id and ${isTrackingNo('r.tracking_no', trackingNo)}
         and l.state = 'PENDING' and now < l.expires_at
         and (${answer} = 'DECLINED' or (c.profile = ${profile} and ${citizenAllows('c', sql`l.partner_id`)}))
      returning r.*
    ), ${insertAuditAndEvent(EVENT_OF[answer], origin)}
    select ${RECORD_NOTICE}, extract(epoch from r.ended_at - r.requested_at)::float8 as seconds
      from r where ${assertAllAudited('r')}`.execute(db)
  return rows[0]?.seconds
}
