import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import type { Origin } from '../../audit/origin.ts'
import { insertAuditWithDetail, assertAllAudited } from '../../audit/store.ts'
import type { EncryptionKeys } from '../../citizens/citizen-encryption.ts'
import { citizenAllows, lockCitizens } from '../../citizens/lock/store.ts'
import type { Database } from '../../database/connect.ts'
import { notifyRecord } from '../../database/notifications.ts'
import { isPrivatePartner } from '../../database/private-sandbox.ts'
import { type State, STATE_NOW, insertAuditAndEvent } from '../store.ts'

export type ConsentRow = {
  id: number
  tracking_no: string
  state: State
  partner_code: string
  name: string
  purpose: string
  requested_at: Date
  expires_at: Date
  accepted_at: Date | null
  ended_at: Date | null
  age_seconds: number
}

/** The columns of `ConsentRow`, of a record `r` and its partner `p`. */
const CONSENT_COLUMNS = sql`r.id, r.tracking_no, ${STATE_NOW} as state, p.partner_code, p.name, p.purpose,
  r.requested_at, r.expires_at, r.accepted_at, r.ended_at,
  greatest(0, floor(extract(epoch from clock_now() - r.requested_at)))::int as age_seconds`

type NewQrCode = { mac: string; purpose: Schemas['QrPurpose']; recordId: number; trackingNo: string }

type IssuedQrCode = { frozen: false; expires_at: Date; refresh_at: Date } | { frozen: true }

/**
 * Issues a QR code. `undefined`: the registry does not know the citizen.
 *
 * - `c`: the citizen.
 * - `code`: the new code; none if the citizen has frozen everything.
 * - `audit`: the audit has a row for the code, or the statement fails.
 */
export async function insertQrCode(
  db: Database,
  uniqidHmacs: string[],
  code: NewQrCode,
  ttlSeconds: number,
  requestId: string,
): Promise<IssuedQrCode | undefined> {
  const { rows } = await sql<IssuedQrCode>`
    with c as (
      select id, frozen from citizen where uniqid_mac = any(${uniqidHmacs})
    ), code as (
      insert into qr_code (mac, citizen_id, purpose, record_id, tracking_no, expires_at)
      select ${code.mac}, id, ${code.purpose}, ${code.recordId}, ${code.trackingNo},
             clock_now() + make_interval(secs => ${ttlSeconds})
        from c where not frozen
      returning expires_at, expires_at - make_interval(secs => ${ttlSeconds} / 2.0) as refresh_at,
                null::bigint as partner_id, citizen_id, tracking_no, purpose as detail
    ), audit as (${insertAuditWithDetail('code', 'qr_code.issued', requestId)})
    select c.frozen, code.expires_at, code.refresh_at
      from c left join code on true where ${assertAllAudited('code')}`.execute(db)
  return rows[0]
}

/**
 * The citizen's id is a subquery, not a join: PostgreSQL then reads only this citizen's records, in the order
 * of their index.
 */
export async function findConsent(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
): Promise<ConsentRow | undefined> {
  const { rows } = await sql<ConsentRow>`
    select ${CONSENT_COLUMNS}
      from authorization_record r join partner p on p.id = r.partner_id
     where r.citizen_id = (select id from citizen where uniqid_mac = any(${uniqidHmacs}))
       and r.tracking_no = ${trackingNo}`.execute(db)
  return rows[0]
}

export type Position = { requestedAt: Date; id: number }
type Page = { state: State | undefined; after: Position | undefined; limit: number }

/** Newest first. The citizen's id is a subquery for the same reason as in `findConsent`. */
export async function listConsents(
  db: Database,
  uniqidHmacs: string[],
  { state, after, limit }: Page,
): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select ${CONSENT_COLUMNS}
      from authorization_record r join partner p on p.id = r.partner_id
     where r.citizen_id = (select id from citizen where uniqid_mac = any(${uniqidHmacs}))
       and (${state ?? null}::text is null or ${STATE_NOW} = ${state ?? null})
       and (${after?.id ?? null}::bigint is null
            or (r.requested_at, r.id)
               < (${after?.requestedAt ?? null}::timestamptz, ${after?.id ?? null}::bigint))
     order by r.requested_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}

const EVENT_OF = { ACCEPTED: 'authorization.accepted', DECLINED: 'authorization.declined' } as const

/** The encrypted profile that accepting a pending record copies. */
export async function findPendingProfile(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
): Promise<(EncryptionKeys & { id: number; profile: string }) | undefined> {
  const { rows } = await sql<EncryptionKeys & { id: number; profile: string }>`
    select r.id, c.subject, c.data_key, c.profile
      from authorization_record r join citizen c on c.id = r.citizen_id
     where c.uniqid_mac = any(${uniqidHmacs}) and r.tracking_no = ${trackingNo}
       and r.state = 'PENDING'`.execute(db)
  return rows[0]
}

/** `is_private`: of a private sandbox. */
export type Answered = { seconds: number; is_private: boolean }

type Answer = { answer: 'ACCEPTED'; snapshot: string; resultTtlSeconds: number } | { answer: 'DECLINED' }

/**
 * Records the citizen's answer to a pending record; returns how long after the request. `undefined`: nothing
 * has changed.
 *
 * - `locked_record`: locks the record, and shares the lock of the citizen's row. The times in `r` are read
 *   after these locks, so an answer that waited for a lock until the record expired is too late.
 * - `r`: the answered record. Only a pending, unexpired record changes, so a record is answered once; it is
 *   accepted only if the citizen's preferences still allow the partner. Accepting stores the copy of the
 *   profile.
 * - `audit`, `event`: committed together with the answer; without the audit row the statement fails.
 */
export async function answerPending(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
  decision: Answer,
  origin: Origin,
): Promise<Answered | undefined> {
  const { answer } = decision
  const [snapshot, seconds] =
    answer === 'ACCEPTED' ? [decision.snapshot, decision.resultTtlSeconds] : [null, null]
  const { rows } = await sql<Answered>`
    with locked_record as (
      select r.id, r.state, r.expires_at, ${citizenAllows('c', sql`r.partner_id`)} as is_permitted
        from authorization_record r join citizen c on c.id = r.citizen_id
       where c.uniqid_mac = any(${uniqidHmacs}) and r.tracking_no = ${trackingNo}
         for update of r for share of c
    ), r as (
      update authorization_record r
         set state = ${answer}, ended_at = clock_now(),
             accepted_at = case when ${answer} = 'ACCEPTED' then clock_now() end,
             snapshot = ${snapshot}, snapshot_until = clock_now() + make_interval(secs => ${seconds})
        from locked_record l
       where r.id = l.id and l.state = 'PENDING' and clock_now() < l.expires_at
         and (${answer} = 'DECLINED' or l.is_permitted)
      returning r.*
    ), ${insertAuditAndEvent(EVENT_OF[answer], origin)}
    select ${notifyRecord}, extract(epoch from r.ended_at - r.requested_at)::float8 as seconds,
           ${isPrivatePartner('r.partner_id')} as is_private
      from r where ${assertAllAudited('r')}`.execute(db)
  return rows[0]
}

/**
 * Revokes the consent of an accepted or viewed record and erases its copy of the profile, or does nothing.
 *
 * - `citizen_lock`: queues with the disclosures, so that a partner that reads again and again cannot delay
 *   the revocation.
 * - `r`: the revoked record. Only an accepted or viewed record changes.
 * - `audit`, `event`: committed together with the change; without the audit row the statement fails.
 */
export async function revokeConsent(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
  origin: Origin,
): Promise<void> {
  await sql`
    with ${lockCitizens(
      'exclusive',
      sql`select id from citizen where uniqid_mac = any(${uniqidHmacs})`,
    )}, r as (
      update authorization_record r
         set state = 'REVOKED', ended_at = clock_now(), snapshot = null, snapshot_until = null
        from citizen_lock, citizen c
       where c.id = r.citizen_id and c.uniqid_mac = any(${uniqidHmacs}) and r.tracking_no = ${trackingNo}
         and r.state in ('ACCEPTED', 'VIEWED')
      returning r.*
    ), ${insertAuditAndEvent('authorization.revoked', origin)}
    select ${notifyRecord} from r where ${assertAllAudited('r')}`.execute(db)
}

/** The pending records of these citizens, oldest first. */
export async function findPendingOf(
  db: Database,
  uniqidHmacs: string[],
): Promise<{ uniqid_mac: string; tracking_no: string }[]> {
  const { rows } = await sql<{ uniqid_mac: string; tracking_no: string }>`
    select c.uniqid_mac, r.tracking_no from authorization_record r join citizen c on c.id = r.citizen_id
     where c.uniqid_mac = any (${uniqidHmacs}) and r.state = 'PENDING' and clock_now() < r.expires_at
     order by r.requested_at limit 100`.execute(db)
  return rows
}
