import { sql } from 'kysely'
import { insertAudit, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import { lockCitizens, citizenAllows } from '../../citizens/citizen-lock.sql.ts'
import type { Config } from '../../config.ts'
import { lockTime } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { RECORD_NOTICE } from '../../database/notifications.ts'
import { currentAccessExists } from '../../partners/access.sql.ts'
import { isForPartner, type Presentation } from '../qr-presentation.sql.ts'
import { type EncryptedRecord, recordColumns } from '../record.sql.ts'

type CreatedRecord = { is_current: boolean } & (
  | (EncryptedRecord & { wait_seconds: null })
  | ({ [Name in keyof EncryptedRecord]: null } & { wait_seconds: number | null })
)

/**
 * Consumes a QR value and creates the pending record. Otherwise the record's columns are null: `wait_seconds`
 * is then the time until the partner may ask this citizen again, or null if the value is not usable.
 *
 * - `access`: one row: whether the partner's access is still current.
 * - `code`: locks the QR value, only if the access is current.
 * - `locked_citizen`: the citizen, with the exclusive lock, so that two requests at once cannot both be the last
 *   one that the limits allow.
 * - `lock_time`: the time, read after all these locks.
 * - `usable`: the QR value, if it is unused, unexpired, of the current epoch and for this partner or any, and the
 *   citizen's preferences allow the partner.
 * - `consumption`: marks the value as used, unless the partner has to wait. Single use: the row is locked and
 *   `used_at` was null.
 * - `r`: the new record. `requested_at` is stored in milliseconds, so all its times are made of that value.
 * - `audit`: one row for the record, or the statement fails.
 */
export async function createPendingRecord(
  db: Database,
  { qrHmacs, qrValue, requestId, ...access }: Presentation,
  { authorizationTtlSeconds, citizenRequestLimits: limits, timeZone }: Config,
): Promise<CreatedRecord> {
  const { partnerId } = access
  const { rows } = await sql<CreatedRecord>`
    with access as materialized (
      select ${currentAccessExists(access, 'PROFILE_INQUIRE')} as is_current
    ), code as (
      select id, citizen_id, partner_id, purpose, epoch, expires_at, used_at from qr_code
       where hmac = any(${qrHmacs}) and (select is_current from access) for update
    ), ${lockCitizens('exclusive', sql`select citizen_id from code`)},
    ${lockTime('locked_citizen')}, usable as (
      select code.id, now,
             wait_before_request(
               c.id, ${partnerId}, ${limits.pending}, ${limits.pendingOfPartner}, ${limits.inAnHour},
               ${authorizationTtlSeconds}
             ) as wait_seconds
        from lock_time, code join locked_citizen c on c.id = code.citizen_id
       where code.used_at is null and now < code.expires_at and code.epoch = current_epoch()
         and ${isForPartner('code', partnerId)}
         and ${citizenAllows('c', partnerId)}
    ), consumption as (
      update qr_code q set used_at = now, tracking_no = timed_tracking_no(q.tracking_no, now) from usable
       where q.id = usable.id and usable.wait_seconds is null
      returning q.citizen_id, q.record_id, q.tracking_no, now::timestamptz(3) as now
    ), r as (
      insert into authorization_record
             (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
      select record_id, ${partnerId}, citizen_id, tracking_no, 'PROFILE_INQUIRE', 'PENDING', ${qrValue},
             now, now + make_interval(secs => ${authorizationTtlSeconds})
        from consumption returning *
    ), audit as (${insertAudit('r', 'authorization.requested', requestId)})
    select access.is_current, u.wait_seconds, record.*
      from access left join usable u on true left join lateral (
        select ${recordColumns(timeZone)}, ${RECORD_NOTICE} from r join citizen c on c.id = r.citizen_id
      ) record on true where ${assertAllAudited('r')}`.execute(db)
  return rows[0]!
}
