import { sql } from 'kysely'
import { type RequestContext, insertAudit, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import type { EncryptionKeys, EncryptedCitizen } from '../../citizens/citizen-encryption.ts'
import { citizenAllows, lockCitizens } from '../../citizens/citizen-lock.sql.ts'
import { type BatchRow, batched, unnestHmacs } from '../../database/batch.ts'
import { lockTime } from '../../database/clock.ts'
import { currentAccessExists } from '../../partners/access.sql.ts'
import type { PartnerRow } from '../../partners/partner.ts'
import { insertEvent } from '../../webhooks/insert-event.sql.ts'
import type { AccessToken } from '../access-token.ts'

/** The citizen whose profile a token obtains, encrypted. */
export type TokenCitizen = EncryptionKeys & Pick<EncryptedCitizen, 'profile' | 'passport'>

export type TokenRow = TokenCitizen & {
  /** `partner_code`, `status`, `scopes`, `ip_allow_list`, `limits`, `is_slowed` and `access_version` are those of the token's partner. */
  partner_code: string
  status: PartnerRow['status']
  scopes: PartnerRow['scopes']
  ip_allow_list: string[]
  limits: PartnerRow['limits']
  is_slowed: boolean
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
           p.partner_code, p.status, p.scopes, p.ip_allow_list, p.limits, p.is_slowed, p.access_version,
           (select clock_now()) >= t.expires_at as is_expired, t.used_at is not null as is_used,
           t.revoked_at is not null or t.epoch <> (select current_epoch()) or k.revoked_at is not null
             or coalesce((select clock_now()) >= k.expires_at, true) as is_revoked,
           ${citizenAllows('c', sql`p.id`)} as is_permitted
      from ${unnestHmacs(tokens, ({ hmacs }) => hmacs)}
           join access_token t using (hmac) join citizen c on c.id = t.citizen_id
           join partner p on p.id = t.partner_id
           left join credential k on k.id = t.credential_id and k.partner_id = t.partner_id`.execute(db)
    return rows
  },
)

type Consumption = RequestContext & { tokenHmacs: string[]; accessVersion: number }

/**
 * Consumes access tokens and records the disclosures.
 *
 * - `token`: the presented tokens, hashed with every pepper. Locks them in the order of their ids.
 * - `locked_citizen`: the citizens of the tokens, with the shared locks.
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
             t.id, t.partner_id, t.citizen_id, t.used_at, t.revoked_at, t.expires_at, t.epoch
        from ${unnestHmacs(all, ({ tokenHmacs }) => tokenHmacs, {
          request_id: ['text', ({ requestId }) => requestId],
          traceparent: ['text', ({ traceparent }) => traceparent],
          access_version: ['bigint', ({ accessVersion }) => accessVersion],
        })}
        join access_token t using (hmac)
       order by t.id for update of t
    ), ${lockCitizens('shared', sql`select citizen_id from token`)}, ${lockTime('locked_citizen')}, disclosure as (
      update access_token t set used_at = now
        from lock_time, token join locked_citizen c on c.id = token.citizen_id
       where t.id = token.id and token.used_at is null and token.revoked_at is null and now < token.expires_at
         and token.epoch = (select current_epoch())
         and ${currentAccessExists(access, sql.ref('t.scope'))}
         and ${citizenAllows('c', sql`token.partner_id`)}
      returning t.partner_id, t.citizen_id, t.scope, null as tracking_no, token.input_no, token.request_id,
                token.traceparent
    ), event as (${insertEvent('disclosure', 'sso.authenticated', sql`json_build_object('scope', s.scope)`)}
    ), audit as (${insertAudit('disclosure', 'sso.authenticated')})
    select input_no from disclosure where ${assertAllAudited('disclosure')}`.execute(db)
  return rows
})
