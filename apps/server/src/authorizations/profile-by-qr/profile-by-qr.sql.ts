import { sql } from 'kysely'
import { type RequestContext, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import type { EncryptionKeys } from '../../citizens/citizen-encryption.ts'
import { citizenAllows, lockCitizens } from '../../citizens/citizen-lock.sql.ts'
import { batched, unnestHmacs } from '../../database/batch.ts'
import { lockTime } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { RECORD_NOTICE } from '../../database/notifications.ts'
import { currentAccessExists } from '../../partners/access.sql.ts'
import { isForPartner, type Presentation } from '../qr-presentation.sql.ts'
import { insertAuditAndEvent } from '../record.sql.ts'

export type Shareable = EncryptionKeys & {
  input_no: number
  id: number
  tracking_no: string
  profile: string
}

/**
 * The profile that a QR value made for sharing would disclose now. Consumes nothing. A value whose citizen
 * forbids this partner is not found, so it takes as long as an unknown value.
 */
export const findShareable = batched(
  async (db, values: { hmacs: string[]; secretCode: string }[]): Promise<Shareable[]> => {
    const { rows } = await sql<Shareable>`
    select input_no, q.record_id as id, c.subject, c.data_key, c.profile,
           timed_tracking_no(q.tracking_no, clock_now()) as tracking_no
      from ${unnestHmacs(values, ({ hmacs }) => hmacs, {
        secret_code: ['text', ({ secretCode }) => secretCode],
      })}
      join partner p using (secret_code) join qr_code q using (hmac) join citizen c on c.id = q.citizen_id
     where q.purpose = 'share' and q.used_at is null and clock_now() < q.expires_at
       and q.epoch = current_epoch() and ${isForPartner('q', sql`p.id`)}
       and ${citizenAllows('c', sql`p.id`)} and c.data_key is not null`.execute(db)
    return rows
  },
)

/** `snapshot`: a copy of `profile`, the encrypted profile of the citizen. */
type View = Presentation &
  RequestContext & { callback_url: string | null; profile: string; snapshot: string; trackingNo: string }

type Viewed = { is_current: boolean; is_created: boolean; is_outdated: boolean }

/**
 * Consumes a QR value made for sharing and creates the viewed record, which records the disclosure; or does
 * nothing. `is_outdated`: only because the citizen has another profile than the one that was copied.
 *
 * - `access`, `code`: as in `createPendingRecord`.
 * - `locked_citizen`: the citizen, with the shared lock, so that the preferences cannot change until the commit.
 * - `lock_time`: the time, read after all these locks.
 * - `usable`: the QR value, if it was made for sharing, is unused, unexpired, of the current epoch and for this
 *   partner or any, and the citizen's preferences allow the partner.
 * - `consumption`: marks the value as used, unless the profile is outdated. Single use: the row is locked and `used_at`
 *   was null.
 * - `r`: the new record, with the copy of the profile that is disclosed.
 * - `audit`, `event`: committed together with the record; without the audit row the statement fails.
 */
export async function createViewedRecord(
  db: Database,
  { qrHmacs, qrValue, requestId, traceparent, callback_url, profile, snapshot, trackingNo, ...access }: View,
  resultTtlSeconds: number,
): Promise<Viewed> {
  const { partnerId } = access
  const { rows } = await sql<Viewed>`
    with access as materialized (
      select ${currentAccessExists(access, 'PROFILE_VIEW')} as is_current
    ), code as (
      select id, citizen_id, partner_id, purpose, epoch, expires_at, used_at from qr_code
       where hmac = any(${qrHmacs})
         and (select is_current from access) for update
    ), ${lockCitizens('shared', sql`select citizen_id from code`)},
    ${lockTime('locked_citizen')}, usable as (
      select code.id, now, c.profile <> ${profile} as is_outdated
        from lock_time, code join locked_citizen c on c.id = code.citizen_id
       where code.used_at is null and now < code.expires_at and code.epoch = current_epoch()
         and ${isForPartner('code', partnerId)}
         and code.purpose = 'share' and ${citizenAllows('c', partnerId)}
    ), consumption as (
      update qr_code q set used_at = now, tracking_no = ${trackingNo} from usable
       where q.id = usable.id and not usable.is_outdated
      returning q.citizen_id, q.record_id, q.tracking_no, now::timestamptz(3) as now
    ), r as (
      insert into authorization_record
             (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, callback_url,
              requested_at, expires_at, ended_at, snapshot, snapshot_until)
      select record_id, ${partnerId}, citizen_id, tracking_no, 'PROFILE_VIEW', 'VIEWED',
             ${qrValue}, ${callback_url}, now, now, now, ${snapshot},
             now + make_interval(secs => ${resultTtlSeconds})
        from consumption returning *
    ), ${insertAuditAndEvent('profile.viewed', { requestId, traceparent })}
    select access.is_current, r.id is not null as is_created,
           exists (select from usable where is_outdated) as is_outdated, ${RECORD_NOTICE}
      from access left join r on true where ${assertAllAudited('r')}`.execute(db)
  return rows[0]!
}
