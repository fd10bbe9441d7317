// The statements on authorization records. A record is one request of one partner for one citizen's profile.
//
// States: PENDING becomes ACCEPTED or DECLINED (by the citizen), CANCELLED (by the partner) or EXPIRED (by
// time). ACCEPTED becomes REVOKED (by the citizen). VIEWED is the state of a record that was created by a QR
// value made for sharing; it, too, becomes REVOKED. No other change exists.
//
// Example: a partner creates a PENDING record (`request-authorization.sql.ts`), the citizen accepts it
// (`answer.sql.ts`), which copies the profile into the record, and each `inquire` discloses the copy until its
// time is over.
//
// Guarantees: a state changes only in one statement, which locks the record, checks its state and time after
// the lock, and writes the audit row and the partner's event. A statement that discloses checks in itself
// that the partner's access is current, that the citizen's preferences allow the partner, and that the audit
// took the disclosure; otherwise it discloses nothing.
import type { Schemas } from '@tiwala/contract'
import { sql, type RawBuilder } from 'kysely'
import { type RequestContext, insertAudit } from '../audit/insert-audit.sql.ts'
import { citizenAllows } from '../citizens/citizen-lock.sql.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { insertEvent } from '../webhooks/insert-event.sql.ts'
import { isTrackingNo } from './tracking-day.sql.ts'

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

/** Every state, each with the states in which its records can be stored. Expiry is stored a moment later. */
const STORED_STATES: Record<State, State[]> = {
  PENDING: ['PENDING'],
  ACCEPTED: ['ACCEPTED'],
  DECLINED: ['DECLINED'],
  EXPIRED: ['EXPIRED', 'PENDING'],
  CANCELLED: ['CANCELLED'],
  REVOKED: ['REVOKED'],
  VIEWED: ['VIEWED'],
}

/** The states in which records in this state, or in any, can be stored. */
export const storedStatesOf = (state: State | undefined): State[] =>
  state ? STORED_STATES[state] : (Object.keys(STORED_STATES) as State[])

/**
 * The condition that a record `r` in one of these states is in this state, or in any. Only the two states that are stored
 * alike need one: PostgreSQL would take it for a rare event, and sort all records.
 */
export const isInState = (state: State | undefined): RawBuilder<unknown> =>
  state === 'PENDING' || state === 'EXPIRED' ? sql`${STATE_NOW} = ${state}` : sql`true`

/** The current state of a record `r`, also before the expiry worker has stored it. */
export const STATE_NOW = sql.raw(
  `case when r.state = 'PENDING' and clock_now() >= r.expires_at then 'EXPIRED' else r.state end`,
)

/** The columns of `EncryptedRecord` without the profile, of a record `r` and its citizen `c`. */
export const columnsWithoutSnapshot = (timeZone: string, now = NOW) => sql`
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
export const insertAuditAndEvent = (
  type: RecordEventType,
  origin: RequestContext,
): RawBuilder<unknown> => sql`
    audit as (${insertAudit('r', type, origin.requestId)}),
    event as (${insertRecordEvent(type, origin)})`

/** The body of the CTE `event` of a statement that changes the record `r`. */
export const insertRecordEvent = (
  type: RecordEventType,
  { traceparent }: Pick<RequestContext, 'traceparent'>,
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
     where r.partner_id = ${partnerId} and ${isTrackingNo('r.tracking_no', trackingNo)}`.execute(db)
  return rows[0]
}
