// The statements on authorization records. A record is one request of one partner for one citizen's profile.
//
// States: PENDING becomes ACCEPTED or DECLINED (by the citizen), CANCELLED (by the partner) or EXPIRED (by
// time). ACCEPTED becomes REVOKED (by the citizen). VIEWED is the state of a record that was created by a QR
// value made for sharing; it, too, becomes REVOKED. No other change exists.
//
// Example: a partner creates a PENDING record (`requests/store.ts`), the citizen accepts it
// (`consent/store.ts`), which copies the profile into the record, and each `inquire` discloses the copy until
// its time is over.
//
// Guarantees: a state changes only in one statement, which locks the record, checks its state and time after
// the lock, and writes the audit row and the partner's event. A statement that discloses checks in itself
// that the partner's access is current, that the citizen's preferences allow the partner, and that the audit
// took the disclosure; otherwise it discloses nothing.
import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Origin } from '../audit/origin.ts'
import { insertAudit, assertAllAudited } from '../audit/store.ts'
import { citizenAllows, lockCitizens } from '../citizens/lock/store.ts'
import { batched, list } from '../database/batch.ts'
import { lockTime, NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { notifyRecord } from '../database/notifications.ts'
import type { Access } from '../partners/partner.ts'
import { hasCurrentAccess, isAccessCurrent } from '../partners/store.ts'
import { insertEvent } from '../webhooks/store.ts'

export type State = Schemas['AuthorizationState']
type RecordEventType = Schemas['AuthorizationEvent']['type']

/** A record with its encrypted columns. `authorizations/record.ts` decrypts it. */
export type EncryptedRecord = {
  id: number
  subject: string
  data_key: string | null
  uniqid: string | null
  scope: Schemas['Authorization']['scope']
  tracking_no: string
  /** The current state: a pending record past its time is EXPIRED. */
  state: State
  qr_value: string
  callback_url: string | null
  /** Null: the record is not pending. */
  expires_at: Date | null
  /** Until the record expires, by the database's clock. */
  seconds_left: number
  /** `YYYY-MM-DD HH:MM:SS`, local time of the requested time zone. */
  accepted_at: string | null
  /**
   * The copy of the profile, made when the citizen accepted. Null: it may no longer be read, or the citizen
   * forbids it now.
   */
  snapshot: string | null
}

/** The current state of a record `r`, also before the expiry worker has stored it. */
export const STATE_NOW = sql.raw(
  `case when r.state = 'PENDING' and clock_now() >= r.expires_at then 'EXPIRED' else r.state end`,
)

/** The columns of `EncryptedRecord` without the profile, of a record `r` and its citizen `c`. */
const columnsWithoutSnapshot = (timeZone: string, now = NOW) => sql`
  r.id, c.subject, c.data_key, c.uniqid, r.scope, r.tracking_no, ${STATE_NOW} as state,
  r.qr_value, r.callback_url,
  case when r.state = 'PENDING' then r.expires_at end as expires_at,
  extract(epoch from r.expires_at - ${now})::float8 as seconds_left,
  to_char(r.accepted_at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS') as accepted_at`

/** The columns of `EncryptedRecord`, of a record `r` and its citizen `c`. */
export const recordColumns = (timeZone: string) => sql`${columnsWithoutSnapshot(timeZone)},
  case when clock_now() < r.snapshot_until and ${citizenAllows('c', sql`r.partner_id`)}
       then r.snapshot end as snapshot`

/**
 * The CTEs `audit` and `event` of a statement that changes the record `r`: the audit row, and the event for
 * the partner.
 */
export const insertAuditAndEvent = (type: RecordEventType, origin: Origin): RawBuilder<unknown> => sql`
    audit as (${insertAudit('r', type, origin.requestId)}),
    event as (${insertRecordEvent(type, origin)})`

/** The body of the CTE `event` of a statement that changes the record `r`. */
export const insertRecordEvent = (
  type: RecordEventType,
  { traceparent }: Pick<Origin, 'traceparent'>,
): RawBuilder<unknown> =>
  insertEvent(
    'r',
    type,
    sql`json_build_object('tracking_no', s.tracking_no, 'state', s.state, 'scope', s.scope)`,
    traceparent,
  )

/** One index probe on (partner, tracking number): another partner's record looks exactly like none. */
export async function findRecord(
  db: Database,
  partnerId: number,
  trackingNo: string,
  timeZone: string,
): Promise<EncryptedRecord | undefined> {
  const { rows } = await sql<EncryptedRecord>`
    select ${recordColumns(timeZone)} from authorization_record r join citizen c on c.id = r.citizen_id
     where r.partner_id = ${partnerId} and r.tracking_no = ${trackingNo}`.execute(db)
  return rows[0]
}

type Inquiry = Access & { trackingNo: string; requestId: string; timeZone: string }
type Inquired = EncryptedRecord & {
  input_no: number
  /** Whether the partner's access is still current. */
  is_current: boolean
  /** Until the partner's secret expires, by the database's clock. */
  secret_seconds_left: number
}

/**
 * Reads records for their partners, and writes the disclosure of each profile that it returns to the audit.
 *
 * - `statement_time`: the time before the locks, read once.
 * - `input`: the inquiries of the batch.
 * - `record`: the record of each inquiry, whether the partner's access is still current, and whether access,
 *   scope and state permit a disclosure. The probe is `lateral`, which forces one full index probe per
 *   inquiry. A join planned while the table was small would read all records of the partner.
 * - `citizen_lock`, `lock_time`: the shared lock of every citizen whose profile may be disclosed, and the
 *   time after these locks.
 * - `disclosure`: the profiles to disclose. State, time and preferences are checked after the locks, and both
 *   rows stay share-locked until the audit row is committed.
 * - `audit`: one row for each disclosure, or the statement fails.
 */
export const inquireRecord = batched(async (db, inquiries: Inquiry[]): Promise<Inquired[]> => {
  const column = (name: keyof Inquiry) => inquiries.map((each) => each[name])
  // The inputs of a batch share one database, so one service: its time zone is the same for all.
  const { timeZone } = inquiries[0]!
  // Each use of `NOW` would call the function again.
  const now = sql.raw('(select now from statement_time)')
  const { rows } = await sql<Inquired>`
    with statement_time as materialized (select clock_now() as now), input as (
      select * from unnest(${list(column('partnerId'), 'bigint')}, ${list(column('credentialId'), 'bigint')},
                           ${list(column('accessVersion'), 'bigint')}, ${list(column('trackingNo'), 'text')},
                           ${list(column('requestId'), 'text')})
             with ordinality
               as i (partner_id, credential_id, access_version, tracking_no, request_id, input_no)
    ), record as materialized (
      select i.input_no, i.request_id, r.*, access.is_current, k.expires_at as secret_expires_at,
             access.is_current and r.scope = any(p.scopes) and r.state in ('ACCEPTED', 'VIEWED')
               as may_disclose
        from input i cross join lateral (
          select * from authorization_record r
           where r.partner_id = i.partner_id and r.tracking_no = i.tracking_no limit 1
        ) r join partner p on p.id = r.partner_id
        left join credential k on k.id = i.credential_id and k.partner_id = p.id
        cross join lateral (
          select coalesce(${isAccessCurrent(sql.ref('i.access_version'), 'PROFILE_INQUIRE', now)}, false)
                   as is_current
        ) access
    ), ${lockCitizens('shared', sql`select citizen_id as id from record where may_disclose`)},
    ${lockTime('citizen_lock')}, disclosure as (
      select r.input_no, r.request_id, r.partner_id, r.citizen_id, r.tracking_no, stored.snapshot
        from lock_time, record r join authorization_record stored on stored.id = r.id
        join citizen c on c.id = r.citizen_id
       where r.may_disclose and stored.state in ('ACCEPTED', 'VIEWED') and now < stored.snapshot_until
         and ${citizenAllows('c', sql`r.partner_id`)}
         for share of stored, c
    ), audit as (${insertAudit('disclosure', 'profile.disclosed')})
    select r.input_no, ${columnsWithoutSnapshot(timeZone, now)}, disclosure.snapshot,
           r.is_current, extract(epoch from r.secret_expires_at - ${now})::float8 as secret_seconds_left
      from record r join citizen c on c.id = r.citizen_id
      left join disclosure on disclosure.input_no = r.input_no
     where ${assertAllAudited('disclosure')}`.execute(db)
  return rows
})

/**
 * Records another disclosure of a record's profile, or does nothing.
 *
 * - `access`: whether the partner's access is still current.
 * - `citizen_lock`, `lock_time`: the shared lock of the citizen, only taken if the access is current, and the
 *   time after it.
 * - `r`: the record, if its profile may still be disclosed. It is checked and locked as by `inquireRecord`.
 * - `audit`: one row for the disclosure, or the statement fails.
 */
export async function recordDisclosure(
  db: Database,
  recordId: number,
  access: Access,
  requestId: string,
): Promise<{ is_current: boolean; is_recorded: boolean }> {
  const { rows } = await sql<{ is_current: boolean; is_recorded: boolean }>`
    with access as materialized (
      select ${hasCurrentAccess(access, sql`r.scope`)} as is_current
        from authorization_record r where r.id = ${recordId}
    ), ${lockCitizens(
      'shared',
      sql`select citizen_id as id from authorization_record
           where id = ${recordId} and (select is_current from access)`,
    )}, ${lockTime('citizen_lock')}, r as (
      select r.partner_id, r.citizen_id, r.tracking_no
        from lock_time, authorization_record r join citizen c on c.id = r.citizen_id
       where r.id = ${recordId} and r.partner_id = ${access.partnerId} and (select is_current from access)
         and r.state in ('ACCEPTED', 'VIEWED') and now < r.snapshot_until
         and ${citizenAllows('c', access.partnerId)}
         for share of r, c
    ), audit as (${insertAudit('r', 'profile.disclosed', requestId)})
    select is_current, exists (select from r) as is_recorded
      from access where ${assertAllAudited('r')}`.execute(db)
  return rows[0] ?? { is_current: true, is_recorded: false }
}

/**
 * Cancels a pending record of the partner, or does nothing.
 *
 * - `locked_record`: locks the record. The time in `r` is read after the lock.
 * - `r`: the cancelled record. Only a pending, unexpired record changes.
 * - `audit`, `event`: committed together with the change; without the audit row the statement fails.
 */
export async function cancelPending(
  db: Database,
  partnerId: number,
  trackingNo: string,
  origin: Origin,
): Promise<void> {
  await sql`
    with locked_record as (
      select id, state, expires_at from authorization_record
       where partner_id = ${partnerId} and tracking_no = ${trackingNo} for update
    ), r as (
      update authorization_record r set state = 'CANCELLED', ended_at = clock_now() from locked_record l
       where r.id = l.id and l.state = 'PENDING' and clock_now() < l.expires_at
      returning r.*
    ), ${insertAuditAndEvent('authorization.cancelled', origin)}
    select ${notifyRecord} from r where ${assertAllAudited('r')}`.execute(db)
}

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
