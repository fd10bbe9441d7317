import { sql } from 'kysely'
import { insertAudit, assertAllAudited } from '../audit/store.ts'
import type { EncryptionKeys } from '../citizens/citizen-encryption.ts'
import { citizenAllows, type EncryptedCitizen } from '../citizens/store.ts'
import { batched, list, unnestHmacs } from '../database/batch.ts'
import type { Database } from '../database/connect.ts'
import type { Access, PartnerRow } from '../partners/partner.ts'
import { hasCurrentAccess } from '../partners/store.ts'
import { insertEvent } from '../webhooks/store.ts'
import type { AccessToken } from './access-token.ts'

export const SSO_SCOPE = 'SSO_AUTHENTICATION'

type IssuedCode = { is_permitted: true; expires_at: Date; sso_url: string | null } | { is_permitted: false }

/** `undefined`: no such citizen, or no active partner of this code that may sign citizens in. */
export async function insertExchangeCode(
  db: Database,
  uniqidHmacs: string[],
  partnerCode: string,
  mac: string,
  ttlSeconds: number,
  requestId: string,
): Promise<IssuedCode | undefined> {
  const { rows } = await sql<IssuedCode>`
    with parties as (
      select c.id as citizen_id, p.id as partner_id, p.sso_url, ${citizenAllows('c', sql`p.id`)} as is_permitted
        from citizen c, partner p
       where c.uniqid_mac = any(${uniqidHmacs}) and p.partner_code = ${partnerCode} and p.status = 'ACTIVE' and ${SSO_SCOPE} = any(p.scopes)
    ), issued as (
      insert into exchange_code (mac, partner_id, citizen_id, scope, expires_at)
      select ${mac}, partner_id, citizen_id, ${SSO_SCOPE}, clock_now() + make_interval(secs => ${ttlSeconds}) from parties where is_permitted
      returning expires_at, partner_id, citizen_id, null as tracking_no
    ), audited as (${insertAudit('issued', 'code.issued', requestId)})
    select is_permitted, sso_url, expires_at from parties left join issued on true where ${assertAllAudited('issued')}`.execute(db)
  return rows[0]
}

/** The time once the rows of `held` are locked, all of them. */
const timed = (held: string) => sql.raw(`timed as materialized (select clock_now() as now from (select count(*) from ${held}) held)`)

type Redemption = Access & { codeHmacs: string[]; tokenHmac: string; requestId: string; tokenTtlSeconds: number }
type Done = { place: number }
/** `is_current`: the caller's access still holds. */
type Redeemed = Done & { is_current: boolean; is_redeemed: boolean }

/**
 * One statement uses up the code, issues its token and audits, or does nothing. The lock comes first and the time is read after it:
 * who waited behind the lock past the end is late (SECURITY section 2). Of one code presented twice at once, one row is updated.
 */
export const redeemExchangeCode = batched(async (db, all: Redemption[]): Promise<Redeemed[]> => {
  const column = (name: keyof Redemption) => all.map((each) => each[name])
  const access = {
    partnerId: sql.ref('a.partner_id'),
    credentialId: sql.ref('a.credential_id'),
    accessVersion: sql.ref('a.access_version'),
  }
  const { rows } = await sql<Redeemed>`
    with asked as materialized (
      select a.*, ${hasCurrentAccess(access, SSO_SCOPE)} as is_current
        from unnest(${list(column('partnerId'), 'bigint')}, ${list(column('credentialId'), 'bigint')}, ${list(column('accessVersion'), 'bigint')},
                    ${list(column('tokenHmac'), 'text')}, ${list(column('requestId'), 'text')})
             with ordinality as a (partner_id, credential_id, access_version, token_mac, request_id, place)
    ), presented as (${unnestHmacs(all.map(({ codeHmacs }) => codeHmacs))}
    ), code as (
      select place, credential_id, token_mac, request_id, x.id, x.redeemed_at, x.expires_at, x.epoch, ${citizenAllows('c', sql`x.partner_id`)} as is_permitted
        from asked join presented using (place) join exchange_code x using (mac, partner_id) join citizen c on c.id = x.citizen_id
       where is_current and x.scope = ${SSO_SCOPE} order by x.id for update of x for share of c
    ), ${timed('code')}, redeemed as (
      update exchange_code x set redeemed_at = now from code, timed
       where x.id = code.id and code.redeemed_at is null and now < code.expires_at and code.epoch = (select current_epoch())
         and code.is_permitted
      returning x.id, x.partner_id, x.citizen_id, null as tracking_no, code.place, code.credential_id, code.token_mac, code.request_id
    ), issued as (
      insert into access_token (mac, exchange_code_id, partner_id, credential_id, citizen_id, scope, expires_at, epoch)
      select token_mac, id, partner_id, credential_id, citizen_id, ${SSO_SCOPE}, now + make_interval(secs => ${all[0]!.tokenTtlSeconds}), (select current_epoch()) from redeemed, timed
    ), audited as (${insertAudit('redeemed', 'code.redeemed')})
    select place, is_current, place in (select place from redeemed) as is_redeemed from asked where ${assertAllAudited('redeemed')}`.execute(
    db,
  )
  return rows
})

/**
 * A refused code may have leaked: its owner sending it again over a second later revokes the token it gave;
 * a stranger sending it raises an alarm and changes nothing.
 */
export async function recordRefusedCode(db: Database, partnerId: number, codeHmacs: string[], requestId: string): Promise<void> {
  await sql`
    with code as (
      select id, partner_id, citizen_id, redeemed_at, null as tracking_no from exchange_code where mac = any(${codeHmacs})
    ), revoked as (
      update access_token t set revoked_at = clock_now() from code
       where t.exchange_code_id = code.id and code.partner_id = ${partnerId} and t.revoked_at is null
         and code.redeemed_at < clock_now() - interval '1 second'
      returning t.partner_id, t.citizen_id, null as tracking_no
    ), reused as (${insertAudit('revoked', 'code.reused', requestId)}
    ), stranger as (
      select ${partnerId}::bigint as partner_id, citizen_id, tracking_no from code where partner_id <> ${partnerId}
    )
    ${insertAudit('stranger', 'code.presented_by_stranger', requestId)}`.execute(db)
}

/** The citizen whom a token gives, encrypted. */
export type TokenCitizen = EncryptionKeys & Pick<EncryptedCitizen, 'profile' | 'passport'>

export type TokenRow = TokenCitizen & {
  /** Of the partner that obtained it, as the next three. */
  status: PartnerRow['status']
  scopes: PartnerRow['scopes']
  ip_allow_list: string[]
  limits: PartnerRow['limits']
  access_version: number
  is_expired: boolean
  is_used: boolean
  /** The token was revoked, or the secret that obtained it has ended. */
  is_revoked: boolean
  is_permitted: boolean
}

/** An access token that would give something now, and the partner that obtained it. */
export type AuthenticatedToken = AccessToken & Omit<TokenRow, keyof TokenCitizen> & { tokenHmacs: string[] }

/** What a token would give now. Nothing is used up. */
export const findToken = batched(async (db, tokens: { hmacs: string[] }[]): Promise<(TokenRow & Done)[]> => {
  const { rows } = await sql<TokenRow & Done>`
    with presented as (${unnestHmacs(tokens.map(({ hmacs }) => hmacs))})
    select place, c.subject, c.data_key, c.profile, c.passport, p.status, p.scopes, p.ip_allow_list, p.limits, p.access_version,
           (select clock_now()) >= t.expires_at as is_expired, t.used_at is not null as is_used,
           t.revoked_at is not null or t.epoch <> (select current_epoch()) or k.revoked_at is not null
             or coalesce((select clock_now()) >= k.expires_at, true) as is_revoked,
           ${citizenAllows('c', sql`p.id`)} as is_permitted
      from presented join access_token t using (mac) join citizen c on c.id = t.citizen_id join partner p on p.id = t.partner_id
           left join credential k on k.id = t.credential_id and k.partner_id = t.partner_id`.execute(db)
  return rows
})

type Consumption = { tokenHmacs: string[]; accessVersion: number; requestId: string }

/** One statement uses up the token and records the disclosure, or does nothing. */
export const consumeToken = batched(async (db, all: Consumption[]): Promise<Done[]> => {
  const column = (name: keyof Consumption) => all.map((each) => each[name])
  const { rows } = await sql<Done>`
    with asked as (
      select * from unnest(${list(column('requestId'), 'text')}, ${list(column('accessVersion'), 'bigint')})
             with ordinality as a (request_id, access_version, place)
    ), presented as (${unnestHmacs(all.map(({ tokenHmacs }) => tokenHmacs))}
    ), token as (
      select place, request_id, access_version, t.id, t.used_at, t.revoked_at, t.expires_at, t.epoch, ${citizenAllows('c', sql`t.partner_id`)} as is_permitted
        from asked join presented using (place) join access_token t using (mac) join citizen c on c.id = t.citizen_id
       order by t.id for update of t for share of c
    ), ${timed('token')}, used as (
      update access_token t set used_at = now from token, timed
       where t.id = token.id and token.used_at is null and token.revoked_at is null and now < token.expires_at
         and token.epoch = (select current_epoch())
         and ${hasCurrentAccess({ partnerId: sql.ref('t.partner_id'), credentialId: sql.ref('t.credential_id'), accessVersion: sql.ref('token.access_version') }, sql.ref('t.scope'))}
         and token.is_permitted
      returning t.partner_id, t.citizen_id, t.scope, null as tracking_no, token.place, token.request_id
    ), told as (${insertEvent('used', 'sso.authenticated', sql`json_build_object('scope', s.scope)`)}
    ), audited as (${insertAudit('used', 'sso.authenticated')})
    select place from used where ${assertAllAudited('used')}`.execute(db)
  return rows
})

/** Deletes codes that ended long ago, and their tokens; tells how many. */
export async function deleteExpiredCodes(db: Database, keptHours: number, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from exchange_code where id in (
      select id from exchange_code where expires_at < (select clock_now()) - make_interval(hours => ${keptHours}) limit ${limit}
    ) returning 1`.execute(db)
  return rows.length
}
