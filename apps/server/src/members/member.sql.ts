import { sql } from 'kysely'
import { voidSettingsOf } from '../approvals/approval.sql.ts'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'
import type { MemberRole, MemberRow } from './member.ts'

export const MAX_MEMBERS = 1_000

const COLUMNS = sql`m.member_id, m.email, m.role, m.invited_at, m.signed_in_at, m.removed_at`

/** The members of a partner, by email. `isComplete`: also those who were removed, after the others. */
export async function findMembers(
  db: Database,
  partnerId: number,
  { isComplete }: { isComplete: boolean },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${COLUMNS} from member m
     where m.partner_id = ${partnerId} and (m.removed_at is null or ${isComplete})
     order by m.removed_at is not null, m.email, m.id limit ${MAX_MEMBERS}`.execute(db)
  return rows
}

/** Whether the member is an admin and was not removed. */
export async function isAdmin(db: Database, memberId: string): Promise<boolean> {
  const { rows } = await sql`
    select from member where member_id = ${memberId} and role = 'admin' and removed_at is null`.execute(db)
  return rows.length > 0
}

/** The partner with this code. `undefined`: there is none. */
export async function findPartnerId(db: Database, partnerCode: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from partner where partner_code = ${partnerCode}`.execute(db)
  return rows[0]?.id
}

export type NewMember = { partnerId: number; memberId: string; email: string; role: MemberRole }

/** Writes the members that are missing. No person invited them, so the audit has no row. */
export async function putMembers(db: Database, members: NewMember[]): Promise<void> {
  await sql`
    insert into member (member_id, partner_id, email, role)
    select "memberId", "partnerId", email, role
      from json_to_recordset(${JSON.stringify(members)}::text::json)
             as m ("memberId" text, "partnerId" bigint, email text, role text)
    on conflict (partner_id, email) where removed_at is null do nothing`.execute(db)
}

/** `undefined`: the partner has a member with this email address, or too many members. */
export async function insertMember(
  db: Database,
  { partnerId, memberId, email, role }: NewMember,
  action: AdminAction,
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    with m as (
      insert into member (member_id, partner_id, email, role)
      select ${memberId}, ${partnerId}::bigint, ${email}, ${role}
       where (select count(*) from member where partner_id = ${partnerId} and removed_at is null) < ${MAX_MEMBERS}
      on conflict (partner_id, email) where removed_at is null do nothing
      returning *
    ), audit as (${insertAdminAudit({ ...action, from: 'm', partner: 'partner_id' })})
    select ${COLUMNS} from m`.execute(db)
  return rows[0]
}

/**
 * `undefined`: the partner has no such member. The same role again changes nothing. What the member has asked for
 * becomes void, unless the role is `admin`.
 */
export async function setMemberRole(
  db: Database,
  partnerId: number,
  memberId: string,
  role: MemberRole,
  action: AdminAction,
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    with found as (
      select * from member where partner_id = ${partnerId} and member_id = ${memberId} and removed_at is null
    ), changed as (
      update member m set role = ${role} from found f where m.id = f.id and m.role <> ${role} returning m.*
    ), voided as (${voidSettingsOf(sql`select * from changed where role <> 'admin'`)}
    ), audit as (${insertAdminAudit({ ...action, from: 'changed', partner: 'partner_id' })})
    select ${COLUMNS} from (
      select * from changed union all select * from found where not exists (select from changed)
    ) m`.execute(db)
  return rows[0]
}

/**
 * Removes a member. Ends the sessions of the person, and voids what the person has asked for. `undefined`: the partner has no such
 * member.
 */
export async function deleteMember(
  db: Database,
  partnerId: number,
  memberId: string,
  action: AdminAction,
): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    with removed as (
      update member set removed_at = clock_now()
       where partner_id = ${partnerId} and member_id = ${memberId} and removed_at is null returning *
    ), ended as (
      delete from member_session where member_id in (select id from removed)
    ), voided as (${voidSettingsOf(sql`select * from removed`)}
    ), audit as (${insertAdminAudit({ ...action, from: 'removed', partner: 'partner_id' })})
    select ${COLUMNS} from removed m`.execute(db)
  return rows[0]
}
