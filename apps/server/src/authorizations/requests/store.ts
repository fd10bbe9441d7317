// The statements that consume a QR value. A citizen shows a QR value to one partner, once.
//
// A QR value for `inquire` or `share` can start an authorization request (`createPendingRecord`): a PENDING
// record that the citizen then accepts or declines. A QR value for `share` can also disclose the profile at
// once (`createViewedRecord`): a VIEWED record.
//
// States of a QR value: unused, used. It also becomes unusable when it expires, or when a backup is restored
// (its epoch is then old).
//
// Example: two partners send the same QR value at the same time. Both statements lock the row of the value.
// The first sets `used_at` and creates its record; the second then reads `used_at` and creates nothing.
//
// Guarantees: one statement checks everything, consumes the value, creates the record and writes the audit,
// or does nothing. All locks are taken before the time is read, so a request that waited for a lock until the
// value expired is too late. If the same partner sends a consumed value again within the retry time, it finds
// the record that it created (`findRecordOfRetry`).
import { sql } from 'kysely'
import type { Origin } from '../../audit/origin.ts'
import { insertAudit, assertAllAudited } from '../../audit/store.ts'
import type { EncryptionKeys } from '../../citizens/citizen-encryption.ts'
import { citizenAllows, lockCitizens } from '../../citizens/lock/store.ts'
import type { Config } from '../../config.ts'
import { batched, unnestHmacs } from '../../database/batch.ts'
import { lockTime } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { notifyRecord } from '../../database/notifications.ts'
import type { Access } from '../../partners/partner.ts'
import { hasCurrentAccess } from '../../partners/store.ts'
import { recordColumns, type EncryptedRecord, insertAuditAndEvent } from '../store.ts'

type Scope = EncryptedRecord['scope']
type Presentation = Access & { qrHmacs: string[]; qrValue: string; requestId: string }

/**
 * The record that this partner created with this QR value within `qrRetrySeconds`; a retry returns the same
 * record.
 */
export async function findRecordOfRetry(
  db: Database,
  partnerId: number,
  qrHmacs: string[],
  scope: Scope,
  { qrRetrySeconds, timeZone }: Config,
): Promise<EncryptedRecord | undefined> {
  const { rows } = await sql<EncryptedRecord>`
    select ${recordColumns(timeZone)}
      from qr_code q join authorization_record r on r.id = q.record_id join citizen c on c.id = r.citizen_id
     where q.mac = any(${qrHmacs}) and r.partner_id = ${partnerId} and r.scope = ${scope}
       and clock_now() < r.requested_at + make_interval(secs => ${qrRetrySeconds})`.execute(db)
  return rows[0]
}

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
 * - `citizen_lock`, `locked_citizen`: lock the citizen exclusively, so that two requests at once cannot both
 *   be the last one that the limits allow.
 * - `lock_time`: the time, read after all these locks.
 * - `usable`: the QR value, if it is unused, unexpired and of the current epoch, and the citizen's
 *   preferences allow the partner.
 * - `consumption`: marks the value as used, unless the partner has to wait. Single use: the row is locked and
 *   `used_at` was null.
 * - `r`: the new record.
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
      select ${hasCurrentAccess(access, 'PROFILE_INQUIRE')} as is_current
    ), code as (
      select id, citizen_id, purpose, epoch, expires_at, used_at from qr_code
       where mac = any(${qrHmacs}) and (select is_current from access) for update
    ), ${lockCitizens('exclusive', sql`select citizen_id as id from code`)}, locked_citizen as (
      select c.id, c.frozen, c.blocked_partner_ids
        from citizen_lock, citizen c join code on code.citizen_id = c.id for no key update of c
    ), ${lockTime('locked_citizen')}, usable as (
      select code.id,
             wait_before_request(
               c.id, ${partnerId}, ${limits.pending}, ${limits.pendingOfPartner}, ${limits.inAnHour}
             ) as wait_seconds
        from lock_time, code join locked_citizen c on c.id = code.citizen_id
       where code.used_at is null and now < code.expires_at and code.epoch = current_epoch()
         and ${citizenAllows('c', partnerId)}
    ), consumption as (
      update qr_code q set used_at = clock_now() from usable
       where q.id = usable.id and usable.wait_seconds is null
      returning q.citizen_id, q.record_id, q.tracking_no
    ), r as (
      insert into authorization_record
             (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
      select record_id, ${partnerId}, citizen_id, tracking_no, 'PROFILE_INQUIRE', 'PENDING', ${qrValue},
             clock_now(), clock_now() + make_interval(secs => ${authorizationTtlSeconds})
        from consumption returning *
    ), audit as (${insertAudit('r', 'authorization.requested', requestId)})
    select access.is_current, u.wait_seconds, record.*
      from access left join usable u on true left join lateral (
        select ${recordColumns(timeZone)}, ${notifyRecord} from r join citizen c on c.id = r.citizen_id
      ) record on true where ${assertAllAudited('r')}`.execute(db)
  return rows[0]!
}

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
    select input_no, q.record_id as id, q.tracking_no, c.subject, c.data_key, c.profile
      from ${unnestHmacs(values, ({ hmacs }) => hmacs, {
        secret_code: ['text', ({ secretCode }) => secretCode],
      })}
      join partner p using (secret_code) join qr_code q using (mac) join citizen c on c.id = q.citizen_id
     where q.purpose = 'share' and q.used_at is null and clock_now() < q.expires_at
       and q.epoch = current_epoch() and ${citizenAllows('c', sql`p.id`)} and c.data_key is not null`.execute(
      db,
    )
    return rows
  },
)

type View = Presentation & Origin & { callback_url: string | null; snapshot: string }

/**
 * Consumes a QR value made for sharing and creates the viewed record, which records the disclosure; or does
 * nothing.
 *
 * - `access`, `code`: as in `createPendingRecord`.
 * - `citizen_lock`, `locked_citizen`: the shared lock of the citizen, so that the preferences cannot change
 *   until the commit.
 * - `lock_time`: the time, read after all these locks.
 * - `usable`: the QR value, if it was made for sharing, is unused, unexpired and of the current epoch, and
 *   the citizen's preferences allow the partner.
 * - `consumption`: marks the value as used. Single use: the row is locked and `used_at` was null.
 * - `r`: the new record, with the copy of the profile that is disclosed.
 * - `audit`, `event`: committed together with the record; without the audit row the statement fails.
 */
export async function createViewedRecord(
  db: Database,
  { qrHmacs, qrValue, requestId, traceparent, callback_url, snapshot, ...access }: View,
  resultTtlSeconds: number,
): Promise<{ is_current: boolean; is_created: boolean }> {
  const { partnerId } = access
  const { rows } = await sql<{ is_current: boolean; is_created: boolean }>`
    with access as materialized (
      select ${hasCurrentAccess(access, 'PROFILE_VIEW')} as is_current
    ), code as (
      select id, citizen_id, purpose, epoch, expires_at, used_at from qr_code
       where mac = any(${qrHmacs})
         and (select is_current from access) for update
    ), ${lockCitizens('shared', sql`select citizen_id as id from code`)}, locked_citizen as (
      select c.id, c.frozen, c.blocked_partner_ids
        from citizen_lock, citizen c join code on code.citizen_id = c.id for share of c
    ), ${lockTime('locked_citizen')}, usable as (
      select code.id from lock_time, code join locked_citizen c on c.id = code.citizen_id
       where code.used_at is null and now < code.expires_at and code.epoch = current_epoch()
         and code.purpose = 'share' and ${citizenAllows('c', partnerId)}
    ), consumption as (
      update qr_code q set used_at = clock_now() from usable where q.id = usable.id
      returning q.citizen_id, q.record_id, q.tracking_no
    ), r as (
      insert into authorization_record
             (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, callback_url,
              requested_at, expires_at, ended_at, snapshot, snapshot_until)
      select record_id, ${partnerId}, citizen_id, tracking_no, 'PROFILE_VIEW', 'VIEWED',
             ${qrValue}, ${callback_url}, clock_now(), clock_now(), clock_now(), ${snapshot},
             clock_now() + make_interval(secs => ${resultTtlSeconds})
        from consumption returning *
    ), ${insertAuditAndEvent('profile.viewed', { requestId, traceparent })}
    select access.is_current, r.id is not null as is_created,
           case when r.id is not null then ${notifyRecord}::text end
      from access left join r on true where ${assertAllAudited('r')}`.execute(db)
  return rows[0]!
}
