import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { auditFrom } from '../audit/store.ts'
import type { Database } from '../database/connect.ts'

export type State = Schemas['AuthorizationState']

export type RecordRow = {
  id: number
  uniqid: string
  scope: Schemas['Authorization']['scope']
  tracking_no: string
  /** As it is now: a pending record past its time reads EXPIRED. */
  state: State
  qr_value: string
  callback_url: string | null
  expires_at: Date
  accepted_at: Date | null
  /** The citizen's profile as the registry had it then; null once it may no longer be read. */
  snapshot: Schemas['Profile'] | null
}

/** State as it is now, whatever has swept the table. */
export const STATE_NOW = sql.raw(`case when r.state = 'PENDING' and clock_now() >= r.expires_at then 'EXPIRED' else r.state end`)

const RECORD = sql`r.id, c.uniqid, r.scope, r.tracking_no, ${STATE_NOW} as state, r.qr_value, r.callback_url, r.expires_at, r.accepted_at,
  case when clock_now() < r.snapshot_until then r.snapshot end as snapshot`

/** One probe on (partner, tracking number): a stranger's record is no different from none. */
export async function findRecord(db: Database, partnerId: number, trackingNo: string): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`
    select ${RECORD} from authorization_record r join citizen c on c.id = r.citizen_id
     where r.partner_id = ${partnerId} and r.tracking_no = ${trackingNo}`.execute(db)
  return rows[0]
}

/** The record that this partner made of this QR value moments ago, so that a retry is safe. */
export async function findRetried(
  db: Database,
  partnerId: number,
  qrMac: string,
  scope: string,
  retrySeconds: number,
): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`
    select ${RECORD}
      from qr_code q join authorization_record r on r.id = q.record_id join citizen c on c.id = r.citizen_id
     where q.mac = ${qrMac} and r.partner_id = ${partnerId} and r.scope = ${scope}
       and clock_now() < r.requested_at + make_interval(secs => ${retrySeconds})`.execute(db)
  return rows[0]
}

type Opening = { partnerId: number; qrMac: string; qrValue: string; requestId: string }

/**
 * Uses up a QR value for a partner that may, leaving one row in `consumed`, or none. The lock comes first and the time is read
 * after it: who waited behind the lock past the end is late (SECURITY section 2).
 */
const consumeQrCode = ({ qrMac, partnerId }: Opening, scope: RecordRow['scope']) => sql`
    code as (
      select id, purpose, expires_at, used_at from qr_code where mac = ${qrMac} for update
    ), consumed as (
      update qr_code q set used_at = clock_now() from code
       where q.id = code.id and code.used_at is null and clock_now() < code.expires_at
         and (code.purpose = 'share' or ${scope} = 'PROFILE_INQUIRE')
         and exists (select 1 from partner where id = ${partnerId} and status = 'ACTIVE' and ${scope} = any(scopes))
      returning q.citizen_id, q.record_id, q.tracking_no
    )`

/** Uses up a QR value and opens the pending record, or does nothing. */
export async function openPending(db: Database, opening: Opening, ttlSeconds: number): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`
    with ${consumeQrCode(opening, 'PROFILE_INQUIRE')}, r as (
      insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
      select record_id, ${opening.partnerId}, citizen_id, tracking_no, 'PROFILE_INQUIRE', 'PENDING', ${opening.qrValue},
             clock_now(), clock_now() + make_interval(secs => ${ttlSeconds})
        from consumed returning *
    ), audited as (${auditFrom('r', 'authorization.requested', opening.requestId)})
    select ${RECORD} from r join citizen c on c.id = r.citizen_id`.execute(db)
  return rows[0]
}

type Shareable = { id: number; tracking_no: string; snapshot: Schemas['Profile'] }

/** What a QR value made for sharing would give now. Nothing is used up. */
export async function findShareable(db: Database, qrMac: string): Promise<Shareable | undefined> {
  const { rows } = await sql<Shareable>`
    select q.record_id as id, q.tracking_no, c.profile as snapshot from qr_code q join citizen c on c.id = q.citizen_id
     where q.mac = ${qrMac} and q.purpose = 'share' and q.used_at is null and clock_now() < q.expires_at`.execute(db)
  return rows[0]
}

type Viewing = Opening & { callback_url: string | null; snapshot: Schemas['Profile'] }

/** Uses up a QR value made for sharing and records what was disclosed, or does nothing. */
export async function openViewed(db: Database, viewing: Viewing, resultSeconds: number): Promise<boolean> {
  const { partnerId, qrValue, callback_url, snapshot, requestId } = viewing
  const { rows } = await sql`
    with ${consumeQrCode(viewing, 'PROFILE_VIEW')}, r as (
      insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, callback_url, requested_at, expires_at, ended_at, snapshot, snapshot_until)
      select record_id, ${partnerId}, citizen_id, tracking_no, 'PROFILE_VIEW', 'VIEWED', ${qrValue}, ${callback_url},
             clock_now(), clock_now(), clock_now(), ${JSON.stringify(snapshot)}::text::json, clock_now() + make_interval(secs => ${resultSeconds})
        from consumed returning *
    )
    ${auditFrom('r', 'profile.viewed', requestId)}`.execute(db)
  return rows.length === 1
}

/** Records that a profile is being given again, provided that it still may be. */
export async function recordDisclosure(db: Database, recordId: number, partnerId: number, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    with r as (
      select r.partner_id, r.citizen_id, r.tracking_no from authorization_record r join partner p on p.id = r.partner_id
       where r.id = ${recordId} and r.partner_id = ${partnerId} and p.status = 'ACTIVE' and r.scope = any(p.scopes)
         and r.state in ('ACCEPTED', 'VIEWED') and clock_now() < r.snapshot_until
    )
    ${auditFrom('r', 'profile.disclosed', requestId)}`.execute(db)
  return rows.length === 1
}

/** Ends a pending record of the partner's, or does nothing. */
export async function cancelPending(db: Database, partnerId: number, trackingNo: string, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select id, state, expires_at from authorization_record where partner_id = ${partnerId} and tracking_no = ${trackingNo} for update
    ), r as (
      update authorization_record r set state = 'CANCELLED', ended_at = clock_now() from held
       where r.id = held.id and held.state = 'PENDING' and clock_now() < held.expires_at
      returning r.partner_id, r.citizen_id, r.tracking_no
    )
    ${auditFrom('r', 'authorization.cancelled', requestId)}`.execute(db)
  return rows.length === 1
}
