// The statements of single sign-on: exchange codes and access tokens, both single-use.
//
// The citizen's app issues an exchange code for one partner. The partner's server redeems the code for an
// access token, and uses the token once to obtain the profile.
//
// States of a code: issued, redeemed, expired. States of a token: issued, used, expired, revoked. A code or
// token of an earlier epoch (a backup was restored) is refused.
//
// Example: a partner sends a code twice at the same time. Both statements lock the code's row. The first sets
// `redeemed_at` and issues the token; the second then reads `redeemed_at` and issues nothing.
//
// Guarantees: one statement redeems or consumes, checks that the partner's access is current and that the
// citizen's preferences allow the partner, and writes the audit; or it does nothing. The time is read after
// all locks, so a request that waited for a lock until the code expired is too late.
//
// If the partner of a code sends it again more than a second after it was redeemed, `recordRefusedCode`
// (`codes/store.ts`) revokes the token. Within that second, a repeated request changes nothing.
import { sql } from 'kysely'
import type { Origin } from '../audit/origin.ts'
import { insertAudit, assertAllAudited } from '../audit/store.ts'
import type { EncryptionKeys } from '../citizens/citizen-encryption.ts'
import { citizenAllows } from '../citizens/lock/store.ts'
import type { EncryptedCitizen } from '../citizens/store.ts'
import { batched, unnestHmacs } from '../database/batch.ts'
import { lockTime, NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import type { Access, PartnerRow } from '../partners/partner.ts'
import { hasCurrentAccess } from '../partners/store.ts'
import { insertEvent } from '../webhooks/store.ts'
import type { AccessToken } from './access-token.ts'

export const SSO_SCOPE = 'SSO_AUTHENTICATION'

type Redemption = Access & {
  codeHmacs: string[]
  tokenHmac: string
  requestId: string
  tokenTtlSeconds: number
}
/** `input_no`: the position of the request in the batch, from 1. */
type BatchRow = { input_no: number }
/** `is_current`: whether the partner's access is still current. */
type RedemptionResult = BatchRow & { is_current: boolean; is_redeemed: boolean }

/**
 * Redeems exchange codes for access tokens.
 *
 * - `input`: the redemptions of the batch, with the presented code hashed with every pepper, and whether each
 *   partner's access is still current.
 * - `code`: locks the partner's own codes in the order of their ids, and shares the locks of the citizens'
 *   rows.
 * - `lock_time`: the time, read after all these locks.
 * - `redemption`: the codes that are redeemed now. Single use: the row is locked and `redeemed_at` was null.
 *   The code is unexpired and of the current epoch, and the citizen's preferences allow the partner.
 * - `token`: one access token for each redeemed code.
 * - `audit`: one row for each redeemed code, or the statement fails.
 */
export const redeemExchangeCode = batched(async (db, all: Redemption[]): Promise<RedemptionResult[]> => {
  // The inputs of a batch share one database, so one service: its lifetime of tokens is the same for all.
  const { tokenTtlSeconds } = all[0]!
  const access = {
    partnerId: sql.ref('i.partner_id'),
    credentialId: sql.ref('i.credential_id'),
    accessVersion: sql.ref('i.access_version'),
  }
  const { rows } = await sql<RedemptionResult>`
    with input as materialized (
      select i.*, ${hasCurrentAccess(access, SSO_SCOPE)} as is_current
        from ${unnestHmacs(all, ({ codeHmacs }) => codeHmacs, {
          partner_id: ['bigint', ({ partnerId }) => partnerId],
          credential_id: ['bigint', ({ credentialId }) => credentialId],
          access_version: ['bigint', ({ accessVersion }) => accessVersion],
          token_mac: ['text', ({ tokenHmac }) => tokenHmac],
          request_id: ['text', ({ requestId }) => requestId],
        })}
    ), code as (
      select input_no, credential_id, token_mac, request_id, x.id, x.redeemed_at, x.expires_at, x.epoch,
             ${citizenAllows('c', sql`x.partner_id`)} as is_permitted
        from input join exchange_code x using (mac, partner_id)
        join citizen c on c.id = x.citizen_id
       where is_current order by x.id for update of x for share of c
    ), ${lockTime('code')}, redemption as (
      update exchange_code x set redeemed_at = now from code, lock_time
       where x.id = code.id and code.redeemed_at is null and now < code.expires_at
         and code.epoch = (select current_epoch())
         and code.is_permitted
      returning x.id, x.partner_id, x.citizen_id, null as tracking_no,
                code.input_no, code.credential_id, code.token_mac, code.request_id
    ), token as (
      insert into access_token
             (mac, exchange_code_id, partner_id, credential_id, citizen_id, scope, expires_at, epoch)
      select token_mac, id, partner_id, credential_id, citizen_id, ${SSO_SCOPE},
             now + make_interval(secs => ${tokenTtlSeconds}), (select current_epoch())
        from redemption, lock_time
    ), audit as (${insertAudit('redemption', 'code.redeemed')})
    select input_no, is_current, input_no in (select input_no from redemption) as is_redeemed
      from input where ${assertAllAudited('redemption')}`.execute(db)
  return rows
})

/** The citizen whose profile a token obtains, encrypted. */
export type TokenCitizen = EncryptionKeys & Pick<EncryptedCitizen, 'profile' | 'passport'>

export type TokenRow = TokenCitizen & {
  /** `status`, `scopes`, `ip_allow_list`, `limits` and `access_version` are those of the token's partner. */
  status: PartnerRow['status']
  scopes: PartnerRow['scopes']
  ip_allow_list: string[]
  limits: PartnerRow['limits']
  access_version: number
  is_expired: boolean
  is_used: boolean
  /** The token was revoked, or the secret that obtained it was revoked or has expired. */
  is_revoked: boolean
  is_permitted: boolean
}

/** A valid access token and the partner that obtained it. */
export type AuthenticatedToken = AccessToken & Omit<TokenRow, keyof TokenCitizen> & { tokenHmacs: string[] }

/** Looks up access tokens and the profiles that they would disclose now. Consumes nothing. */
export const findToken = batched(
  async (db, tokens: { hmacs: string[] }[]): Promise<(TokenRow & BatchRow)[]> => {
    const { rows } = await sql<TokenRow & BatchRow>`
    select input_no, c.subject, c.data_key, c.profile, c.passport,
           p.status, p.scopes, p.ip_allow_list, p.limits, p.access_version,
           (select clock_now()) >= t.expires_at as is_expired, t.used_at is not null as is_used,
           t.revoked_at is not null or t.epoch <> (select current_epoch()) or k.revoked_at is not null
             or coalesce((select clock_now()) >= k.expires_at, true) as is_revoked,
           ${citizenAllows('c', sql`p.id`)} as is_permitted
      from ${unnestHmacs(tokens, ({ hmacs }) => hmacs)}
           join access_token t using (mac) join citizen c on c.id = t.citizen_id
           join partner p on p.id = t.partner_id
           left join credential k on k.id = t.credential_id and k.partner_id = t.partner_id`.execute(db)
    return rows
  },
)

type Consumption = Origin & { tokenHmacs: string[]; accessVersion: number }

/**
 * Consumes access tokens and records the disclosures.
 *
 * - `token`: the presented tokens, hashed with every pepper. Locks them in the order of their ids, and shares
 *   the locks of the citizens' rows.
 * - `lock_time`: the time, read after all these locks.
 * - `disclosure`: the tokens that are consumed now. Single use: the row is locked and `used_at` was null. The
 *   token is unexpired, not revoked and of the current epoch, the partner's access is current, and the
 *   citizen's preferences allow the partner.
 * - `event`, `audit`: committed together with the disclosure; without the audit row the statement fails.
 */
export const consumeToken = batched(async (db, all: Consumption[]): Promise<BatchRow[]> => {
  const access = {
    partnerId: sql.ref('t.partner_id'),
    credentialId: sql.ref('t.credential_id'),
    accessVersion: sql.ref('token.access_version'),
  }
  const { rows } = await sql<BatchRow>`
    with token as (
      select input_no, request_id, traceparent, access_version,
             t.id, t.used_at, t.revoked_at, t.expires_at, t.epoch,
             ${citizenAllows('c', sql`t.partner_id`)} as is_permitted
        from ${unnestHmacs(all, ({ tokenHmacs }) => tokenHmacs, {
          request_id: ['text', ({ requestId }) => requestId],
          traceparent: ['text', ({ traceparent }) => traceparent],
          access_version: ['bigint', ({ accessVersion }) => accessVersion],
        })}
        join access_token t using (mac) join citizen c on c.id = t.citizen_id
       order by t.id for update of t for share of c
    ), ${lockTime('token')}, disclosure as (
      update access_token t set used_at = now from token, lock_time
       where t.id = token.id and token.used_at is null and token.revoked_at is null and now < token.expires_at
         and token.epoch = (select current_epoch())
         and ${hasCurrentAccess(access, sql.ref('t.scope'))}
         and token.is_permitted
      returning t.partner_id, t.citizen_id, t.scope, null as tracking_no, token.input_no, token.request_id,
                token.traceparent
    ), event as (${insertEvent('disclosure', 'sso.authenticated', sql`json_build_object('scope', s.scope)`)}
    ), audit as (${insertAudit('disclosure', 'sso.authenticated')})
    select input_no from disclosure where ${assertAllAudited('disclosure')}`.execute(db)
  return rows
})

/** Deletes codes that expired long ago, and their tokens; returns how many codes. */
export function deleteExpiredCodes(db: Database, keptHours: number, limit: number): Promise<number> {
  const isOld = sql`expires_at < ${NOW} - make_interval(hours => ${keptHours})`
  return deleteOldRows(db, 'exchange_code', ['id'], isOld, limit)
}
