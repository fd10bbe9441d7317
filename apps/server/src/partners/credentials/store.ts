import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../../audit/store.ts'
import { utc } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { isPrivatePartner } from '../../database/private-sandbox.ts'
import { insertEvent } from '../../webhooks/store.ts'
import type { PartnerWriter } from '../partner-cache.ts'

export type CredentialKind = Schemas['CredentialKind']
export type CredentialHmac = { kind: CredentialKind; mac: string }

type Times = { created_at: Date; expires_at: Date; revoked_at: Date | null }

export type CredentialRow = Omit<Schemas['Credential'], keyof Times> & Times

/** The columns of `CredentialRow`, of a credential `c`. */
const CREDENTIAL_COLUMNS = sql.raw(`c.credential_id as id, c.kind, c.created_at, c.expires_at, c.revoked_at,
  to_char(c.last_used_on, 'YYYY-MM-DD') as last_used_on,
  case when c.revoked_at is not null then 'REVOKED' when clock_now() >= c.expires_at then 'EXPIRED'
       else 'ACTIVE' end as status`)

/**
 * Inserts the first secrets of the partners in the CTE `source` (a column `id`), except those that the
 * partner has already.
 */
export const insertCredentials = (
  source: string,
  hmacs: CredentialHmac[],
  expiresAt: Date,
): RawBuilder<unknown> => sql`
    insert into credential (partner_id, kind, mac, expires_at)
    select s.id, i.kind, i.mac, ${expiresAt}::timestamptz
      from ${sql.raw(source)} s,
           unnest(${hmacs.map(({ kind }) => kind)}::text[],
                  ${hmacs.map(({ mac }) => mac)}::text[]) as i (kind, mac)
     where not exists (
       select from credential c
        where c.partner_id = s.id and ${isFirstSecret(hmacs, expiresAt)} and c.mac = i.mac
     )
    returning id`

/**
 * The condition that the credential `c` is one of these secrets and has not changed since it was inserted.
 */
export const isFirstSecret = (hmacs: CredentialHmac[], expiresAt: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.mac = any(${hmacs.map(({ mac }) => mac)})
       and c.expires_at = ${expiresAt}::timestamptz and c.revoked_at is null)`

/** Newest first. `undefined`: no such partner. */
export async function listCredentialsOf(
  db: Database,
  partnerCode: string,
  limit: number,
): Promise<CredentialRow[] | undefined> {
  const { rows } = await sql<CredentialRow | { id: null }>`
    select ${CREDENTIAL_COLUMNS} from partner p left join credential c on c.partner_id = p.id
     where p.partner_code = ${partnerCode} order by c.id desc limit ${limit}`.execute(db)
  return rows.length ? rows.filter((row) => row.id !== null) : undefined
}

export type NewCredential = {
  id: string
  kind: CredentialKind
  mac: string
  createdAt: Date
  expiresAt: Date
  graceDays: number
}

/**
 * Inserts a new secret. At most two of a kind stay valid: the new one, and the previous one until its grace
 * period ends. False: no such partner.
 *
 * - `valid_credential`: the valid secrets of the kind, newest first.
 * - `shortened_credential`: the previous secret ends after the grace period at the latest, older ones end
 *   now.
 * - `rotation`: the new secret, and the older ones with their end, so that a restore cannot bring them back.
 * - `audit`: one row, in the same transaction.
 */
export async function insertSuccessor(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  credential: NewCredential,
  action: AdminAction,
): Promise<boolean> {
  const { id, kind, mac, createdAt, expiresAt, graceDays } = credential
  const isInserted = await db.transaction().execute(async (tx) => {
    // The lock is a statement of its own, so that the second of two rotations at once sees the secret that
    // the first inserted.
    const { rows } = await sql<{ id: number }>`
      select id from partner where partner_code = ${partnerCode} for no key update`.execute(tx)
    const partnerId = rows[0]?.id
    if (partnerId === undefined) return false
    await sql`
      with valid_credential as (
        select id, row_number() over (order by id desc) as nth from credential
         where partner_id = ${partnerId} and kind = ${kind}
           and revoked_at is null and clock_now() < expires_at
      ), shortened_credential as (
        update credential c
           set expires_at = least(
                 c.expires_at,
                 clock_now() + case when v.nth = 1 then make_interval(days => ${graceDays}) else '0' end
               )
          from valid_credential v where c.id = v.id returning c.*
      ), rotation as (
        select ${partnerId}::bigint as partner_id, ${`${kind} ${id} replaces `} || coalesce(string_agg(
                 credential_id || ' until ' || ${utc('expires_at')}, ', ' order by id desc), 'none') as detail
          from shortened_credential
      ), audit as (${insertAdminAudit({
        ...action,
        from: 'rotation',
        partner: 'partner_id',
        detailColumn: 'detail',
      })})
      insert into credential (partner_id, credential_id, kind, mac, created_at, expires_at)
      values (${partnerId}, ${id}, ${kind}, ${mac}, ${createdAt}, ${expiresAt})`.execute(tx)
    return true
  })
  partnerCache.invalidate()
  return isInserted
}

/**
 * Revokes a credential; a revoked one does not change. `undefined`: this partner has no such credential.
 * `is_changed`: it is revoked now.
 *
 * - `locked_credential`: locks the credential.
 * - `revoked_credential`: the credential, if it is revoked now.
 * - `audit`: one row if it is revoked now, in the same transaction.
 */
export async function revokeStoredCredential(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  id: string,
  action: AdminAction,
): Promise<(CredentialRow & { is_changed: boolean }) | undefined> {
  const { rows } = await sql<CredentialRow & { is_changed: boolean }>`
    with locked_credential as (
      select c.* from credential c join partner p on p.id = c.partner_id
       where p.partner_code = ${partnerCode} and c.credential_id = ${id} for update of c
    ), revoked_credential as (
      update credential c set revoked_at = clock_now()
        from locked_credential l where c.id = l.id and l.revoked_at is null returning c.*
    ), audit as (${insertAdminAudit({ ...action, from: 'revoked_credential', partner: 'partner_id' })})
    select ${CREDENTIAL_COLUMNS}, exists (select from revoked_credential) as is_changed from (
      select * from revoked_credential
      union all select * from locked_credential where revoked_at is not null
    ) c`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

/** Stores the HMAC of a secret with the current pepper. */
export async function replaceHmac(db: Database, from: string, to: string): Promise<void> {
  await sql`update credential set mac = ${to} where mac = ${from}`.execute(db)
}

/**
 * Stores the day of a secret's last use, once a day. A row that another process has locked is skipped: that
 * process stores the day.
 */
export async function updateLastUse(
  db: Database,
  partnerId: number,
  mac: string,
  day: string,
): Promise<void> {
  await sql`
    update credential set last_used_on = ${day}::date where id in (
      select id from credential
       where partner_id = ${partnerId} and mac = ${mac} and last_used_on is distinct from ${day}::date
         for update skip locked
    )`.execute(db)
}

/**
 * Sends partners one event for each secret that expires soon and has no successor; returns how many.
 *
 * - `due`: locks such secrets and skips those that another process has locked.
 * - `reminder`: the secrets that are marked now. A secret is marked once.
 * - `event`: one for each, in the same transaction.
 */
export async function remindOfExpiry(db: Database, days: number, limit: number): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from credential c
       where reminded_at is null and revoked_at is null
         and expires_at < (select clock_now()) + make_interval(days => ${days})
         and not exists (
           select 1 from credential n
            where n.partner_id = c.partner_id and n.kind = c.kind and n.id > c.id
              and n.revoked_at is null and n.expires_at > c.expires_at
         )
       limit ${limit} for update skip locked
    ), reminder as (
      update credential c set reminded_at = clock_now() from due
       where c.id = due.id returning c.partner_id, c.kind, c.expires_at
    ), event as (${insertEvent(
      'reminder',
      'credential.expiring',
      sql`json_build_object('credential', s.kind, 'expires_at', ${utc('s.expires_at')})`,
      null,
    )})
    select from reminder`.execute(db)
  return rows.length
}

/** When the newest valid secret of each kind expires. */
export async function findSecretExpiries(
  db: Database,
  partnerId: number,
): Promise<Map<CredentialKind, Date>> {
  const { rows } = await sql<{ kind: CredentialKind; expires_at: Date }>`
    select distinct on (kind) kind, expires_at from credential
     where partner_id = ${partnerId} and revoked_at is null and clock_now() < expires_at
     order by kind, id desc`.execute(db)
  return new Map(rows.map(({ kind, expires_at }) => [kind, expires_at]))
}

/** The secrets in use that expire within the time and have no successor, without private sandboxes. */
export async function countExpiring(db: Database, days: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from credential c
     where revoked_at is null and not ${isPrivatePartner('c.partner_id')}
       and expires_at between (select clock_now()) and (select clock_now()) + make_interval(days => ${days})
       and not exists (
         select 1 from credential n
          where n.partner_id = c.partner_id and n.kind = c.kind and n.id > c.id
            and n.revoked_at is null and n.expires_at > c.expires_at
       )`.execute(db)
  return rows[0]!.count
}
