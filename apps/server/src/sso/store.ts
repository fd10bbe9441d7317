import { sql } from 'kysely'
import { auditFrom } from '../audit/store.ts'
import type { CitizenRecord } from '../citizens/profile.ts'
import type { Database } from '../database/connect.ts'

export const SSO_SCOPE = 'SSO_AUTHENTICATION'

type IssuedCode = { expires_at: Date; sso_url: string | null }

/** `undefined`: no such citizen, or no active partner of this code that may sign citizens in. */
export async function insertExchangeCode(
  db: Database,
  uniqid: string,
  partnerCode: string,
  mac: string,
  ttlSeconds: number,
): Promise<IssuedCode | undefined> {
  const { rows } = await sql<IssuedCode>`
    with x as (
      insert into exchange_code (mac, partner_id, citizen_id, scope, expires_at)
      select ${mac}, p.id, c.id, ${SSO_SCOPE}, clock_now() + make_interval(secs => ${ttlSeconds})
        from citizen c, partner p
       where c.uniqid = ${uniqid} and p.partner_code = ${partnerCode} and p.status = 'ACTIVE' and ${SSO_SCOPE} = any(p.scopes)
      returning partner_id, expires_at
    )
    select x.expires_at, p.sso_url from x join partner p on p.id = x.partner_id`.execute(db)
  return rows[0]
}

type Redemption = { partnerId: number; codeMac: string; tokenMac: string; requestId: string }

/**
 * One statement uses up the code, issues its token and audits, or does nothing. The lock comes first and the time is read after it:
 * who waited behind the lock past the end is late (SECURITY section 2).
 */
export async function redeemExchangeCode(
  db: Database,
  { partnerId, codeMac, tokenMac, requestId }: Redemption,
  tokenTtlSeconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    with code as (
      select id, redeemed_at, expires_at from exchange_code
       where mac = ${codeMac} and partner_id = ${partnerId} and scope = ${SSO_SCOPE} for update
    ), redeemed as (
      update exchange_code x set redeemed_at = clock_now() from code
       where x.id = code.id and code.redeemed_at is null and clock_now() < code.expires_at
         and exists (select 1 from partner where id = ${partnerId} and status = 'ACTIVE' and ${SSO_SCOPE} = any(scopes))
      returning x.id, x.partner_id, x.citizen_id, null as tracking_no
    ), issued as (
      insert into access_token (mac, exchange_code_id, partner_id, citizen_id, scope, expires_at)
      select ${tokenMac}, id, partner_id, citizen_id, ${SSO_SCOPE}, clock_now() + make_interval(secs => ${tokenTtlSeconds}) from redeemed
    )
    ${auditFrom('redeemed', 'code.redeemed', requestId)}`.execute(db)
  return rows.length === 1
}

/**
 * A refused code may have leaked: its owner sending it again over a second later revokes the token it gave;
 * a stranger sending it raises an alarm and changes nothing.
 */
export async function noteRefusedCode(db: Database, partnerId: number, codeMac: string, requestId: string): Promise<void> {
  await sql`
    with code as (
      select id, partner_id, citizen_id, redeemed_at, null as tracking_no from exchange_code where mac = ${codeMac}
    ), revoked as (
      update access_token t set revoked_at = clock_now() from code
       where t.exchange_code_id = code.id and code.partner_id = ${partnerId} and t.revoked_at is null
         and code.redeemed_at < clock_now() - interval '1 second'
      returning t.partner_id, t.citizen_id, null as tracking_no
    ), reused as (${auditFrom('revoked', 'code.reused', requestId)}
    ), stranger as (
      select ${partnerId}::bigint as partner_id, citizen_id, tracking_no from code where partner_id <> ${partnerId}
    )
    ${auditFrom('stranger', 'code.presented_by_stranger', requestId)}`.execute(db)
}

export type TokenRow = CitizenRecord & {
  partner_status: string
  partner_scopes: string[]
  is_expired: boolean
  is_used: boolean
  is_revoked: boolean
}

/** What a token would give now. Nothing is used up. */
export async function findToken(db: Database, tokenMac: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    select c.profile, c.passport, p.status as partner_status, p.scopes as partner_scopes,
           clock_now() >= t.expires_at as is_expired, t.used_at is not null as is_used, t.revoked_at is not null as is_revoked
      from access_token t join citizen c on c.id = t.citizen_id join partner p on p.id = t.partner_id
     where t.mac = ${tokenMac}`.execute(db)
  return rows[0]
}

/** One statement uses up the token and records the disclosure, or does nothing. */
export async function consumeToken(db: Database, tokenMac: string, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    with token as (
      select id, used_at, revoked_at, expires_at from access_token where mac = ${tokenMac} for update
    ), used as (
      update access_token t set used_at = clock_now() from token
       where t.id = token.id and token.used_at is null and token.revoked_at is null and clock_now() < token.expires_at
         and exists (select 1 from partner p where p.id = t.partner_id and p.status = 'ACTIVE' and t.scope = any(p.scopes))
      returning t.partner_id, t.citizen_id, null as tracking_no
    )
    ${auditFrom('used', 'sso.authenticated', requestId)}`.execute(db)
  return rows.length === 1
}
