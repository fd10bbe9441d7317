// The sessions of members. Each request reads its session with the member and the partner, so that a session ends at
// once with either of them. An id is stored as its HMAC only.
import { sql } from 'kysely'
import { insertAdminAudit } from '../audit/insert-audit.sql.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import type { AuthenticatedMember } from '../operation.ts'

export type NewSession = {
  hmac: string
  /** The issuer and the `sub` of the person. */
  subject: string
  email: string
  /** `undefined`: the partner for which the person signed in last. */
  partnerCode: string | undefined
  hours: number
  requestId: string
}

/**
 * Signs a person in. The first sign-in binds the invitation of the email address to the subject: from then on, only the
 * subject counts. Returns the id of the member; `undefined`: no active partner has such a member.
 */
export async function insertSession(
  db: Database,
  { hmac, subject, email, partnerCode, hours, requestId }: NewSession,
): Promise<string | undefined> {
  const { rows } = await sql<{ member_id: string }>`
    with candidate as (
      select m.id from member m join partner p on p.id = m.partner_id
       where m.removed_at is null and p.status = 'ACTIVE'
         and (m.subject = ${subject} or (m.subject is null and m.email = ${email}))
         and (${partnerCode ?? null}::text is null or p.partner_code = ${partnerCode ?? null})
       order by m.signed_in_at desc nulls last, m.id limit 1
    ), bound as (
      update member m set subject = ${subject}, signed_in_at = clock_now() from candidate c
       where m.id = c.id and m.removed_at is null and (m.subject is null or m.subject = ${subject})
      returning m.id, m.member_id, m.partner_id
    ), session as (
      insert into member_session (hmac, member_id, expires_at)
      select ${hmac}, id, clock_now() + make_interval(hours => ${hours}) from bound
    ), audit as (${insertAdminAudit({
      kind: 'session.started',
      actor: sql`member_id`,
      requestId,
      from: 'bound',
      partner: 'partner_id',
    })})
    select member_id from bound`.execute(db)
  return rows[0]?.member_id
}

type Person = { subject: string; email: string; partnerCode: string | undefined }
export type MemberOfPerson = Omit<AuthenticatedMember, 'sessionHmac' | 'expiresAt'> & { isBound: boolean }

/** The memberships of a person in active partners, and then the invitations of the address. At most 100. */
export async function findMembersOfPerson(
  db: Database,
  { subject, email, partnerCode }: Person,
): Promise<MemberOfPerson[]> {
  const { rows } = await sql<MemberOfPerson>`
    select m.member_id as "memberId", m.email, m.role, m.partner_id as "partnerId",
           p.partner_code as "partnerCode", p.name as "partnerName", m.subject is not null as "isBound"
      from member m join partner p on p.id = m.partner_id
     where m.removed_at is null and p.status = 'ACTIVE'
       and (m.subject = ${subject} or (m.subject is null and m.email = ${email}))
       and (${partnerCode ?? null}::text is null or p.partner_code = ${partnerCode ?? null})
     order by m.subject is null, p.partner_code limit 100`.execute(db)
  return rows
}

/** Binds an invitation to the subject of a token. `false`: another subject has taken it meanwhile. */
export async function bindInvitation(
  db: Database,
  { memberId, subject, requestId }: { memberId: string; subject: string; requestId: string },
): Promise<boolean> {
  const { rows } = await sql`
    with bound as (
      update member set subject = ${subject}, signed_in_at = coalesce(signed_in_at, clock_now())
       where member_id = ${memberId} and removed_at is null and (subject is null or subject = ${subject})
      returning partner_id
    ), audit as (${insertAdminAudit({
      kind: 'session.started',
      actor: memberId,
      requestId,
      from: 'bound',
      partner: 'partner_id',
    })})
    select 1 from bound`.execute(db)
  return rows.length > 0
}

/** The caller of a session that has not ended. Continues the session. */
export async function findSession(
  db: Database,
  hmacs: string[],
  idleMinutes: number,
): Promise<AuthenticatedMember | undefined> {
  const { rows } = await sql<AuthenticatedMember>`
    with found as (
      select s.hmac, s.used_at, m.member_id, m.email, m.role, m.partner_id, p.partner_code, p.name, s.expires_at
        from member_session s join member m on m.id = s.member_id join partner p on p.id = m.partner_id
       where s.hmac = any(${hmacs}) and clock_now() < s.expires_at
         and clock_now() < s.used_at + make_interval(mins => ${idleMinutes})
         and m.removed_at is null and p.status = 'ACTIVE'
    ), used as (
      update member_session s set used_at = clock_now() from found f
       where s.hmac = f.hmac and f.used_at < clock_now() - interval '1 minute'
    )
    select hmac as "sessionHmac", member_id as "memberId", email, role, partner_id as "partnerId",
           partner_code as "partnerCode", name as "partnerName", expires_at as "expiresAt" from found`.execute(
    db,
  )
  return rows[0]
}

/** For a restored backup: a session from before it may have ended since. */
export const END_ALL_SESSIONS = sql`delete from member_session`

export type Membership = { partner_code: string; name: string }

/** The partners for which the person of a member can sign in, by name. */
export async function findMemberships(db: Database, memberId: string): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select p.partner_code, p.name from member own
      join member m on m.removed_at is null and (m.subject = own.subject or (m.subject is null and m.email = own.email))
      join partner p on p.id = m.partner_id and p.status = 'ACTIVE'
     where own.member_id = ${memberId} order by p.name, p.partner_code limit 100`.execute(db)
  return rows
}

/** Ends a session; returns when. */
export async function deleteSession(
  db: Database,
  { sessionHmac, memberId }: AuthenticatedMember,
  requestId: string,
): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    with ended as (
      delete from member_session s using member m where s.hmac = ${sessionHmac} and m.id = s.member_id
      returning m.partner_id
    ), audit as (${insertAdminAudit({
      kind: 'session.ended',
      actor: memberId,
      requestId,
      from: 'ended',
      partner: 'partner_id',
    })})
    select clock_now() as now`.execute(db)
  return rows[0]!.now
}

/** Deletes sessions that have ended; returns how many. */
export function deleteEndedSessions(db: Database, idleMinutes: number, limit: number): Promise<number> {
  const isOld = sql`expires_at <= ${NOW} or used_at <= ${NOW} - make_interval(mins => ${idleMinutes})`
  return deleteOldRows(db, 'member_session', ['hmac'], isOld, limit)
}
