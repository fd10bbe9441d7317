import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

export type BoundKey = { purpose: string; kid: string; fingerprint: string }

/** The keys that the database was used with. */
export async function findBoundKeys(db: Database): Promise<BoundKey[]> {
  const { rows } = await sql<BoundKey>`select purpose, kid, fingerprint from bound_key`.execute(db)
  return rows
}

export async function insertBoundKeys(db: Database, keys: readonly BoundKey[]): Promise<void> {
  await sql`
    insert into bound_key (purpose, kid, fingerprint)
    select * from unnest(${keys.map(({ purpose }) => purpose)}::text[], ${keys.map(({ kid }) => kid)}::text[],
                         ${keys.map(({ fingerprint }) => fingerprint)}::text[])
        on conflict do nothing`.execute(db)
}

export async function deleteBoundKey(db: Database, { purpose, kid }: Omit<BoundKey, 'fingerprint'>) {
  await sql`delete from bound_key where purpose = ${purpose} and kid = ${kid}`.execute(db)
}

/** When the database was first used with each key, by its kid. */
export async function readBoundTimes(db: Database): Promise<Map<string, Date>> {
  const { rows } = await sql<{ kid: string; bound_at: Date }>`select kid, bound_at from bound_key`.execute(db)
  return new Map(rows.map(({ kid, bound_at }) => [kid, bound_at]))
}

/** Whether a checkpoint of the audit is signed with this key. */
export async function hasSigned(db: Database, kid: string): Promise<boolean> {
  const { rows } = await sql`
    select from audit_checkpoint where strpos(body, ${`"kid":"${kid}"`}) > 0 limit 1`.execute(db)
  return rows.length > 0
}

/** How many kept responses and sign-ins in progress are encrypted with this key, or found with this pepper. */
export async function countKept(db: Database, kid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select content, key_hmac as hmac, expires_at from idempotent_response
      union all select content, id_hmac, expires_at from oidc_state
    ) kept where ${kid} in (split_part(content, '.', 1), split_part(hmac, '.', 1)) and clock_now() < expires_at`.execute(
    db,
  )
  return rows[0]!.count
}

/** How many access tokens can be used that were issued before this time. */
export async function countTokensIssuedBefore(db: Database, time: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from access_token t join exchange_code c on c.id = t.exchange_code_id
     where t.used_at is null and t.revoked_at is null and clock_now() < t.expires_at
       and c.redeemed_at < ${time}`.execute(db)
  return rows[0]!.count
}
