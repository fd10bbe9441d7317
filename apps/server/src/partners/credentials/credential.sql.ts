import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { CredentialHmac, CredentialRow, CredentialKind } from './credential.ts'

/** The condition that a newer secret replaces the credential `c`. */
export const HAS_SUCCESSOR = sql.raw(`exists (
    select from credential n
     where n.partner_id = c.partner_id and n.kind = c.kind and n.id > c.id
       and n.revoked_at is null and n.expires_at > c.expires_at
  )`)

/** The columns of `CredentialRow`, of a credential `c`. */
export const CREDENTIAL_COLUMNS = sql`${HAS_SUCCESSOR} as is_superseded, ${sql.raw(`
  c.credential_id as id, c.kind, c.created_at, c.expires_at, c.revoked_at,
  to_char(c.last_used_on, 'YYYY-MM-DD') as last_used_on,
  case when c.revoked_at is not null then 'REVOKED' when clock_now() >= c.expires_at then 'EXPIRED'
       else 'ACTIVE' end as status`)}`

/**
 * Inserts the first secrets of the partners in the CTE `source` (a column `id`), except those that the
 * partner has already.
 */
export const insertCredentials = (
  source: string,
  hmacs: CredentialHmac[],
  expiresAt: Date,
): RawBuilder<unknown> => sql`
    insert into credential (partner_id, kind, hmac, expires_at)
    select s.id, i.kind, i.hmac, ${expiresAt}::timestamptz
      from ${sql.raw(source)} s,
           unnest(${hmacs.map(({ kind }) => kind)}::text[],
                  ${hmacs.map(({ hmac }) => hmac)}::text[]) as i (kind, hmac)
     where not exists (
       select from credential c
        where c.partner_id = s.id and ${isFirstSecret(hmacs, expiresAt)} and c.hmac = i.hmac
     )
    returning id`

/**
 * The condition that the credential `c` is one of these secrets and has not changed since it was inserted.
 */
export const isFirstSecret = (hmacs: CredentialHmac[], expiresAt: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.hmac = any(${hmacs.map(({ hmac }) => hmac)})
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

/** Stores the HMAC of a secret with the current pepper. */
export async function replaceHmac(db: Database, from: string, to: string): Promise<void> {
  await sql`update credential set hmac = ${to} where hmac = ${from}`.execute(db)
}

/**
 * Stores the day of a secret's last use, once a day. A row that another process has locked is skipped: that
 * process stores the day.
 */
export async function updateLastUse(
  db: Database,
  partnerId: number,
  hmac: string,
  day: string,
): Promise<void> {
  await sql`
    update credential set last_used_on = ${day}::date where id in (
      select id from credential
       where partner_id = ${partnerId} and hmac = ${hmac} and last_used_on is distinct from ${day}::date
         for update skip locked
    )`.execute(db)
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
