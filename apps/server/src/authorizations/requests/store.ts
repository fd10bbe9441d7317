import { sql } from 'kysely'
import { insertAudit, assertAllAudited } from '../../audit/store.ts'
import type { EncryptionKeys } from '../../citizens/citizen-encryption.ts'
import { lockCitizens, citizenAllows } from '../../citizens/store.ts'
import type { Config } from '../../config.ts'
import { batched, list, unnestHmacs } from '../../database/batch.ts'
import type { Database } from '../../database/connect.ts'
import { notifyRecord } from '../../database/notifications.ts'
import type { Access } from '../../partners/partner.ts'
import { hasCurrentAccess } from '../../partners/store.ts'
import { recordIn, type EncryptedRecord, insertAuditAndEvent } from '../store.ts'

type Scope = EncryptedRecord['scope']
type Opening = Access & { qrHmacs: string[]; qrValue: string; requestId: string }

/** The record that this partner made of this QR value moments ago, so that a retry is safe. */
export async function findRetried(
  db: Database,
  partnerId: number,
  qrHmacs: string[],
  scope: Scope,
  { qrRetrySeconds, timeZone }: Config,
): Promise<EncryptedRecord | undefined> {
  const { rows } = await sql<EncryptedRecord>`
    select ${recordIn(timeZone)}
      from qr_code q join authorization_record r on r.id = q.record_id join citizen c on c.id = r.citizen_id
     where q.mac = any(${qrHmacs}) and r.partner_id = ${partnerId} and r.scope = ${scope}
       and clock_now() < r.requested_at + make_interval(secs => ${qrRetrySeconds})`.execute(db)
  return rows[0]
}

/**
 * Uses up a QR value for a partner that may, leaving one row in `consumed`, or none. `access` always has one row: whether the caller's
 * access still holds. The locks come first and the time is read after them: a request that waited for a lock until the value expired
 * is late (SECURITY section 2). `usable` has a row where the value is good; `wait_seconds` in it holds the request off. With the citizen
 * locked, two requests at once cannot both be the last one allowed.
 */
const consumeQrCode = ({ qrHmacs, ...access }: Opening, scope: Scope, caps?: Config['caps']) => sql`
    access as materialized (
      select ${hasCurrentAccess(access, scope)} as is_current
    ), code as (
      select id, citizen_id, purpose, epoch, expires_at, used_at from qr_code where mac = any(${qrHmacs}) and (select is_current from access) for update
    ), ${lockCitizens(caps ? 'exclusive' : 'shared', sql`select citizen_id as id from code`)}, asked as (
      select c.id, c.frozen, c.blocked_partner_ids from citizen_lock, citizen c join code on code.citizen_id = c.id ${sql.raw(caps ? 'for no key update of c' : 'for share of c')}
    ), usable as (
      select code.id, ${caps ? sql`wait_before_request(c.id, ${access.partnerId}, ${caps.pending}, ${caps.pendingOfPartner}, ${caps.inAnHour})` : sql`null::int`} as wait_seconds
        from code join asked c on c.id = code.citizen_id
       where code.used_at is null and clock_now() < code.expires_at and code.epoch = current_epoch() and (code.purpose = 'share' or ${scope} = 'PROFILE_INQUIRE')
         and ${citizenAllows('c', access.partnerId)}
    ), consumed as (
      update qr_code q set used_at = clock_now() from usable where q.id = usable.id and usable.wait_seconds is null
      returning q.citizen_id, q.record_id, q.tracking_no
    )`

type OpenedRecord = { is_current: boolean } & (
  | (EncryptedRecord & { wait_seconds: null })
  | ({ [Name in keyof EncryptedRecord]: null } & { wait_seconds: number | null })
)

/** Uses up a QR value and opens the pending record; or tells for how long the citizen must not be asked; or does nothing. */
export async function openPending(
  db: Database,
  opening: Opening,
  { authorizationTtlSeconds, caps, timeZone }: Config,
): Promise<OpenedRecord> {
  const { rows } = await sql<OpenedRecord>`
    with ${consumeQrCode(opening, 'PROFILE_INQUIRE', caps)}, r as (
      insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
      select record_id, ${opening.partnerId}, citizen_id, tracking_no, 'PROFILE_INQUIRE', 'PENDING', ${opening.qrValue},
             clock_now(), clock_now() + make_interval(secs => ${authorizationTtlSeconds})
        from consumed returning *
    ), audited as (${insertAudit('r', 'authorization.requested', opening.requestId)})
    select access.is_current, u.wait_seconds, opened.* from access left join usable u on true left join lateral (
      select ${recordIn(timeZone)}, ${notifyRecord} from r join citizen c on c.id = r.citizen_id
    ) opened on true where ${assertAllAudited('r')}`.execute(db)
  return rows[0]!
}

export type Shareable = EncryptionKeys & { place: number; id: number; tracking_no: string; profile: string }

/**
 * What a QR value made for sharing would disclose now. A value that its citizen forbids this partner to use is not found, so that it costs
 * as much as an unknown one.
 */
export const findShareable = batched(async (db, values: { hmacs: string[]; secretCode: string }[]): Promise<Shareable[]> => {
  const { rows } = await sql<Shareable>`
    with presented as (${unnestHmacs(values.map(({ hmacs }) => hmacs))}
    ), asked as (
      select * from unnest(${list(
        values.map(({ secretCode }) => secretCode),
        'text',
      )}) with ordinality as a (secret_code, place)
    )
    select place, q.record_id as id, q.tracking_no, c.subject, c.data_key, c.profile
      from presented join asked using (place) join partner p using (secret_code) join qr_code q using (mac) join citizen c on c.id = q.citizen_id
     where q.purpose = 'share' and q.used_at is null and clock_now() < q.expires_at and q.epoch = current_epoch()
       and ${citizenAllows('c', sql`p.id`)} and c.data_key is not null`.execute(db)
  return rows
})

type Viewing = Opening & { callback_url: string | null; snapshot: string }

/** Uses up a QR value made for sharing and records what was disclosed, or does nothing. `is_current`: the caller's access still holds. */
export async function openViewed(
  db: Database,
  viewing: Viewing,
  resultSeconds: number,
): Promise<{ is_current: boolean; is_opened: boolean }> {
  const { partnerId, qrValue, callback_url, snapshot, requestId } = viewing
  const { rows } = await sql<{ is_current: boolean; is_opened: boolean }>`
    with ${consumeQrCode(viewing, 'PROFILE_VIEW')}, r as (
      insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, callback_url, requested_at, expires_at, ended_at, snapshot, snapshot_until)
      select record_id, ${partnerId}, citizen_id, tracking_no, 'PROFILE_VIEW', 'VIEWED', ${qrValue}, ${callback_url},
             clock_now(), clock_now(), clock_now(), ${snapshot}, clock_now() + make_interval(secs => ${resultSeconds})
        from consumed returning *
    ), ${insertAuditAndEvent('profile.viewed', requestId)}
    select access.is_current, r.id is not null as is_opened, case when r.id is not null then ${notifyRecord}::text end
      from access left join r on true where ${assertAllAudited('r')}`.execute(db)
  return rows[0]!
}
