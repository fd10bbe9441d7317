import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../../audit/store.ts'
import { utc } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { insertEvent } from '../../webhooks/store.ts'
import type { PartnerWriter } from '../partner-cache.ts'

export type CredentialKind = Schemas['CredentialKind']
export type CredentialHmac = { kind: CredentialKind; mac: string }

type Times = { created_at: Date; expires_at: Date; revoked_at: Date | null }

export type CredentialRow = Omit<Schemas['Credential'], keyof Times> & Times

/** Of a credential `c`. */
const CREDENTIAL =
  sql.raw(`c.credential_id as id, c.kind, c.created_at, c.expires_at, c.revoked_at, to_char(c.last_used_on, 'YYYY-MM-DD') as last_used_on,
  case when c.revoked_at is not null then 'REVOKED' when clock_now() >= c.expires_at then 'EXPIRED' else 'ACTIVE' end as status`)

/** One row for each first secret of the partner in the query `source`, unless the partner has it. */
export const credentialsFrom = (source: string, hmacs: CredentialHmac[], expiresAt: Date): RawBuilder<unknown> => sql`
    insert into credential (partner_id, kind, mac, expires_at)
    select s.id, given.kind, given.mac, ${expiresAt}::timestamptz
      from ${sql.raw(source)} s, unnest(${hmacs.map(({ kind }) => kind)}::text[], ${hmacs.map(({ mac }) => mac)}::text[]) as given (kind, mac)
     where not exists (select from credential c where c.partner_id = s.id and ${isFirstSecret(hmacs, expiresAt)} and c.mac = given.mac)
    returning id`

/** Whether the credential `c` is one of these secrets, as it was when it was first issued. */
export const isFirstSecret = (hmacs: CredentialHmac[], expiresAt: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.mac = any(${hmacs.map(({ mac }) => mac)}) and c.expires_at = ${expiresAt}::timestamptz and c.revoked_at is null)`

/** Newest first. `undefined`: no such partner. */
export async function listCredentialsOf(db: Database, partnerCode: string, limit: number): Promise<CredentialRow[] | undefined> {
  const { rows } = await sql<CredentialRow | { id: null }>`
    select ${CREDENTIAL} from partner p left join credential c on c.partner_id = p.id
     where p.partner_code = ${partnerCode} order by c.id desc limit ${limit}`.execute(db)
  return rows.length ? rows.filter((row) => row.id !== null) : undefined
}

export type NewCredential = { id: string; kind: CredentialKind; mac: string; createdAt: Date; expiresAt: Date; graceDays: number }

/** At most two of a kind stay: the new one, and until the grace ends the one before it. False: no such partner. */
export async function insertSuccessor(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  credential: NewCredential,
  action: AdminAction,
): Promise<boolean> {
  const { id, kind, mac, createdAt, expiresAt, graceDays } = credential
  const isInserted = await db.transaction().execute(async (tx) => {
    // Locked by a statement of its own: of two rotations at once, the second then sees what the first has written.
    const { rows } = await sql<{ id: number }>`select id from partner where partner_code = ${partnerCode} for no key update`.execute(tx)
    const partnerId = rows[0]?.id
    if (partnerId === undefined) return false
    await sql`
      with before as (
        select id, row_number() over (order by id desc) as nth from credential
         where partner_id = ${partnerId} and kind = ${kind} and revoked_at is null and clock_now() < expires_at
      ), ended as (
        update credential c
           set expires_at = least(c.expires_at, clock_now() + case when before.nth = 1 then make_interval(days => ${graceDays}) else '0' end)
          from before where c.id = before.id
      ), noted as (${insertAdminAudit({ ...action, from: '(values (1)) as done', partner: String(partnerId) })})
      insert into credential (partner_id, credential_id, kind, mac, created_at, expires_at)
      values (${partnerId}, ${id}, ${kind}, ${mac}, ${createdAt}, ${expiresAt})`.execute(tx)
    return true
  })
  partnerCache.invalidate()
  return isInserted
}

/** Of one that is revoked already nothing changes. `undefined`: this partner has no such credential. */
export async function setRevoked(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  id: string,
  action: AdminAction,
): Promise<CredentialRow | undefined> {
  const { rows } = await sql<CredentialRow>`
    with found as (
      select c.* from credential c join partner p on p.id = c.partner_id
       where p.partner_code = ${partnerCode} and c.credential_id = ${id} for update of c
    ), revoked as (
      update credential c set revoked_at = clock_now() from found where c.id = found.id and found.revoked_at is null returning c.*
    ), noted as (${insertAdminAudit({ ...action, from: 'revoked', partner: 'partner_id' })})
    select ${CREDENTIAL} from (select * from revoked union all select * from found where revoked_at is not null) c`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

export async function replaceHmac(db: Database, from: string, to: string): Promise<void> {
  await sql`update credential set mac = ${to} where mac = ${from}`.execute(db)
}

/** Writes down the day on which a secret was used, once; who finds somebody at it leaves it to them. */
export async function writeUse(db: Database, partnerId: number, mac: string, day: string): Promise<void> {
  await sql`
    update credential set last_used_on = ${day}::date where id in (
      select id from credential
       where partner_id = ${partnerId} and mac = ${mac} and last_used_on is distinct from ${day}::date for update skip locked
    )`.execute(db)
}

/** Tells partners, once, of secrets that expire soon and have no successor; tells how many were found. */
export async function remindOfExpiry(db: Database, days: number, limit: number): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from credential c
       where reminded_at is null and revoked_at is null and expires_at < (select clock_now()) + make_interval(days => ${days})
         and not exists (
           select 1 from credential n
            where n.partner_id = c.partner_id and n.kind = c.kind and n.id > c.id and n.revoked_at is null and n.expires_at > c.expires_at
         )
       limit ${limit} for update skip locked
    ), reminded as (
      update credential c set reminded_at = clock_now() from due where c.id = due.id returning c.partner_id, c.kind, c.expires_at
    ), told as (${insertEvent('reminded', 'credential.expiring', sql`json_build_object('credential', s.kind, 'expires_at', ${utc('s.expires_at')})`)})
    select from reminded`.execute(db)
  return rows.length
}

/** Until when the newest valid secret of each kind is good. */
export async function findSecretExpiries(db: Database, partnerId: number): Promise<Map<CredentialKind, Date>> {
  const { rows } = await sql<{ kind: CredentialKind; expires_at: Date }>`
    select distinct on (kind) kind, expires_at from credential
     where partner_id = ${partnerId} and revoked_at is null and clock_now() < expires_at
     order by kind, id desc`.execute(db)
  return new Map(rows.map(({ kind, expires_at }) => [kind, expires_at]))
}
