import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { auditFrom } from '../../audit/store.ts'
import type { Database } from '../../database/connect.ts'
import { type State, STATE_NOW } from '../store.ts'

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

const CONSENT = sql`r.id, r.tracking_no, ${STATE_NOW} as state, p.partner_code, p.name, p.purpose, r.requested_at, r.expires_at, r.accepted_at, r.ended_at,
  greatest(0, floor(extract(epoch from clock_now() - r.requested_at)))::int as age_seconds`

type NewQrCode = { mac: string; purpose: Schemas['QrPurpose']; recordId: number; trackingNo: string }

/** `undefined`: the registry does not know the citizen. */
export async function insertQrCode(
  db: Database,
  uniqid: string,
  code: NewQrCode,
  ttlSeconds: number,
): Promise<{ expires_at: Date; refresh_at: Date } | undefined> {
  const { rows } = await sql<{ expires_at: Date; refresh_at: Date }>`
    insert into qr_code (mac, citizen_id, purpose, record_id, tracking_no, expires_at)
    select ${code.mac}, id, ${code.purpose}, ${code.recordId}, ${code.trackingNo}, clock_now() + make_interval(secs => ${ttlSeconds})
      from citizen where uniqid = ${uniqid}
    returning expires_at, expires_at - make_interval(secs => ${ttlSeconds} / 2.0) as refresh_at`.execute(db)
  return rows[0]
}

export async function findConsent(db: Database, uniqid: string, trackingNo: string): Promise<ConsentRow | undefined> {
  const { rows } = await sql<ConsentRow>`
    select ${CONSENT}
      from authorization_record r join citizen c on c.id = r.citizen_id join partner p on p.id = r.partner_id
     where c.uniqid = ${uniqid} and r.tracking_no = ${trackingNo}`.execute(db)
  return rows[0]
}

export type Position = { requestedAt: Date; id: number }
type Page = { state: State | undefined; after: Position | undefined; limit: number }

/** Newest first. */
export async function listConsents(db: Database, uniqid: string, { state, after, limit }: Page): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select ${CONSENT}
      from authorization_record r join citizen c on c.id = r.citizen_id join partner p on p.id = r.partner_id
     where c.uniqid = ${uniqid}
       and (${state ?? null}::text is null or ${STATE_NOW} = ${state ?? null})
       and (${after?.id ?? null}::bigint is null or (r.requested_at, r.id) < (${after?.requestedAt ?? null}::timestamptz, ${after?.id ?? null}::bigint))
     order by r.requested_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}

/** The citizen's answer to a pending record, or nothing. The time is read after the lock was got: late is late. */
export async function answerPending(
  db: Database,
  uniqid: string,
  trackingNo: string,
  answer: 'ACCEPTED' | 'DECLINED',
  resultSeconds: number,
  requestId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      select r.id, r.state, r.expires_at, c.profile
        from authorization_record r join citizen c on c.id = r.citizen_id
       where c.uniqid = ${uniqid} and r.tracking_no = ${trackingNo} for update of r
    ), r as (
      update authorization_record r
         set state = ${answer}, ended_at = clock_now(),
             accepted_at = case when ${answer} = 'ACCEPTED' then clock_now() end,
             snapshot = case when ${answer} = 'ACCEPTED' then held.profile end,
             snapshot_until = case when ${answer} = 'ACCEPTED' then clock_now() + make_interval(secs => ${resultSeconds}) end
        from held where r.id = held.id and held.state = 'PENDING' and clock_now() < held.expires_at
      returning r.partner_id, r.citizen_id, r.tracking_no
    )
    ${auditFrom('r', `authorization.${answer.toLowerCase()}`, requestId)}`.execute(db)
  return rows.length === 1
}

/** Takes back what was given, and with it the copy of the profile; or does nothing. */
export async function revokeGiven(db: Database, uniqid: string, trackingNo: string, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    with r as (
      update authorization_record r set state = 'REVOKED', ended_at = clock_now(), snapshot = null, snapshot_until = null
        from citizen c
       where c.id = r.citizen_id and c.uniqid = ${uniqid} and r.tracking_no = ${trackingNo} and r.state in ('ACCEPTED', 'VIEWED')
      returning r.partner_id, r.citizen_id, r.tracking_no
    )
    ${auditFrom('r', 'authorization.revoked', requestId)}`.execute(db)
  return rows.length === 1
}

/** The pending records of these citizens, oldest first. */
export async function findPendingOf(db: Database, uniqids: string[]): Promise<{ uniqid: string; tracking_no: string }[]> {
  const { rows } = await sql<{ uniqid: string; tracking_no: string }>`
    select c.uniqid, r.tracking_no from authorization_record r join citizen c on c.id = r.citizen_id
     where c.uniqid = any (${uniqids}) and r.state = 'PENDING' and clock_now() < r.expires_at
     order by r.requested_at limit 100`.execute(db)
  return rows
}
