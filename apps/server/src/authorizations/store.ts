import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAudit, assertAllAudited } from '../audit/store.ts'
import { lockCitizens, citizenAllows } from '../citizens/store.ts'
import { batched, list } from '../database/batch.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { notifyRecord } from '../database/notifications.ts'
import type { Access } from '../partners/partner.ts'
import { hasCurrentAccess, isAccessCurrent } from '../partners/store.ts'
import { insertEvent } from '../webhooks/store.ts'

export type State = Schemas['AuthorizationState']

/** A record with what is sealed of it. `authorizations/record.ts` opens it. */
export type EncryptedRecord = {
  id: number
  subject: string
  data_key: string | null
  uniqid: string | null
  scope: Schemas['Authorization']['scope']
  tracking_no: string
  /** As it is now: a pending record past its time reads EXPIRED. */
  state: State
  qr_value: string
  callback_url: string | null
  /** Null: it is not pending. */
  expires_at: Date | null
  /** Until it expires, by the database's clock. */
  seconds_left: number
  /** `YYYY-MM-DD HH:MM:SS`, as a clock on the wall of the time zone asked for shows it. */
  accepted_at: string | null
  /** The citizen's profile as the registry had it then; null once it may no longer be read, or while the citizen forbids it. */
  snapshot: string | null
}

/** State as it is now, whatever has swept the table. */
export const STATE_NOW = sql.raw(`case when r.state = 'PENDING' and clock_now() >= r.expires_at then 'EXPIRED' else r.state end`)

/** Of a record `r` and its citizen `c`: all but what it gives. */
const outside = (timeZone: string, now = NOW) => sql`
  r.id, c.subject, c.data_key, c.uniqid, r.scope, r.tracking_no, ${STATE_NOW} as state, r.qr_value, r.callback_url,
  case when r.state = 'PENDING' then r.expires_at end as expires_at, extract(epoch from r.expires_at - ${now})::float8 as seconds_left,
  to_char(r.accepted_at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS') as accepted_at`
export const recordIn = (timeZone: string) =>
  sql`${outside(timeZone)}, case when clock_now() < r.snapshot_until and ${citizenAllows('c', sql`r.partner_id`)} then r.snapshot end as snapshot`

/** What a change of the record `r` leaves behind in the statement that makes it: an audit row, and the event to the partner. */
export const insertAuditAndEvent = (type: Schemas['AuthorizationEvent']['type'], requestId: string): RawBuilder<unknown> => sql`
    audited as (${insertAudit('r', type, requestId)}),
    told as (${insertEvent('r', type, sql`json_build_object('tracking_no', s.tracking_no, 'state', s.state, 'scope', s.scope)`)})`

/** One probe on (partner, tracking number): a stranger's record is no different from none. */
export async function findRecord(
  db: Database,
  partnerId: number,
  trackingNo: string,
  timeZone: string,
): Promise<EncryptedRecord | undefined> {
  const { rows } = await sql<EncryptedRecord>`
    select ${recordIn(timeZone)} from authorization_record r join citizen c on c.id = r.citizen_id
     where r.partner_id = ${partnerId} and r.tracking_no = ${trackingNo}`.execute(db)
  return rows[0]
}

type Inquiry = Access & { trackingNo: string; requestId: string; timeZone: string }
type Inquired = EncryptedRecord & {
  place: number
  /** The caller's access still holds. */
  is_current: boolean
  /** Until the caller's secret expires, by the database's clock. */
  secret_seconds_left: number
}

/**
 * The same record for whom it may be given to: what is read of a profile is recorded as disclosed by the same statement. The probes are
 * `lateral`, each by the whole index: of a plain join, a plan made while there were few records would look through all of a partner's.
 */
export const inquireRecord = batched(async (db, inquiries: Inquiry[]): Promise<Inquired[]> => {
  const column = (name: keyof Inquiry) => inquiries.map((each) => each[name])
  // Several of `NOW` would be several calls.
  const now = sql.raw('(select now from timed)')
  const { rows } = await sql<Inquired>`
    with timed as materialized (select clock_now() as now), asked as (
      select * from unnest(${list(column('partnerId'), 'bigint')}, ${list(column('credentialId'), 'bigint')}, ${list(column('accessVersion'), 'bigint')},
                           ${list(column('trackingNo'), 'text')}, ${list(column('requestId'), 'text')})
             with ordinality as a (partner_id, credential_id, access_version, tracking_no, request_id, place)
    ), found as materialized (
      select a.place, a.request_id, r.*, coalesce(${isAccessCurrent(sql.ref('a.access_version'), 'PROFILE_INQUIRE', now)}, false) as is_current,
             r.scope = any(p.scopes) as is_granted, k.expires_at as secret_expires_at
        from asked a cross join lateral (
          select * from authorization_record r where r.partner_id = a.partner_id and r.tracking_no = a.tracking_no limit 1
        ) r join partner p on p.id = r.partner_id left join credential k on k.id = a.credential_id and k.partner_id = p.id
    ), ${lockCitizens('shared', sql`select citizen_id as id from found where is_current and is_granted and state in ('ACCEPTED', 'VIEWED')`)}, given as (
      select r.place, r.request_id, r.partner_id, r.citizen_id, r.tracking_no, r.snapshot
        from citizen_lock, found r join citizen c on c.id = r.citizen_id
       where r.is_current and r.is_granted and r.state in ('ACCEPTED', 'VIEWED') and ${now} < r.snapshot_until and ${citizenAllows('c', sql`r.partner_id`)}
         for share of c
    ), audited as (${insertAudit('given', 'profile.disclosed')})
    select r.place, ${outside(inquiries[0]!.timeZone, now)}, given.snapshot, r.is_current,
           extract(epoch from r.secret_expires_at - ${now})::float8 as secret_seconds_left
      from found r join citizen c on c.id = r.citizen_id left join given on given.place = r.place
     where ${assertAllAudited('given')}`.execute(db)
  return rows
})

/** Records that a profile is disclosed again, if it still may be. `is_current`: the caller's access still holds. */
export async function recordDisclosure(
  db: Database,
  recordId: number,
  access: Access,
  requestId: string,
): Promise<{ is_current: boolean; is_recorded: boolean }> {
  const { rows } = await sql<{ is_current: boolean; is_recorded: boolean }>`
    with access as materialized (
      select ${hasCurrentAccess(access, sql`r.scope`)} as is_current from authorization_record r where r.id = ${recordId}
    ), ${lockCitizens('shared', sql`select citizen_id as id from authorization_record where id = ${recordId} and (select is_current from access)`)}, r as (
      select r.partner_id, r.citizen_id, r.tracking_no
        from citizen_lock, authorization_record r join citizen c on c.id = r.citizen_id
       where r.id = ${recordId} and r.partner_id = ${access.partnerId} and (select is_current from access)
         and r.state in ('ACCEPTED', 'VIEWED') and clock_now() < r.snapshot_until and ${citizenAllows('c', access.partnerId)}
         for share of c
    ), audited as (${insertAudit('r', 'profile.disclosed', requestId)})
    select is_current, exists (select from r) as is_recorded from access where ${assertAllAudited('r')}`.execute(db)
  return rows[0] ?? { is_current: true, is_recorded: false }
}

/** Ends a pending record of the partner's, or does nothing. */
export async function cancelPending(db: Database, partnerId: number, trackingNo: string, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select id, state, expires_at from authorization_record where partner_id = ${partnerId} and tracking_no = ${trackingNo} for update
    ), r as (
      update authorization_record r set state = 'CANCELLED', ended_at = clock_now() from held
       where r.id = held.id and held.state = 'PENDING' and clock_now() < held.expires_at
      returning r.*
    ), ${insertAuditAndEvent('authorization.cancelled', requestId)}
    select ${notifyRecord} from r where ${assertAllAudited('r')}`.execute(db)
  return rows.length === 1
}

type Times = { requested_at: Date; expires_at: Date; accepted_at: Date | null; ended_at: Date | null }

export type TrackedRow = Omit<Schemas['TrackedAuthorization'], keyof Times> & Times

/** Of every partner, without a word of the citizen: one probe for each partner, so that the records need no index for this alone. */
export async function findTracked(db: Database, trackingNo: string): Promise<TrackedRow[]> {
  const { rows } = await sql<TrackedRow>`
    select r.tracking_no, p.partner_code, r.scope, ${STATE_NOW} as state, r.requested_at, r.expires_at, r.accepted_at,
           case when ${STATE_NOW} = 'EXPIRED' then r.expires_at else r.ended_at end as ended_at
      from partner p join authorization_record r on r.partner_id = p.id and r.tracking_no = ${trackingNo}
     order by p.partner_code`.execute(db)
  return rows
}
