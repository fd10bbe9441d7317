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
// If the partner of a code sends it again more than a second after it was redeemed, `auditRefusedCode`
// (`refused-code.sql.ts`) revokes the token. Within that second, a repeated request changes nothing.
import { sql } from 'kysely'
import { insertAudit, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import { citizenAllows, lockCitizens } from '../../citizens/citizen-lock.sql.ts'
import { type BatchRow, batched, unnestHmacs } from '../../database/batch.ts'
import { lockTime } from '../../database/clock.ts'
import { currentAccessExists } from '../../partners/access.sql.ts'
import type { Access } from '../../partners/partner.ts'
import { SSO_SCOPE } from '../access-token.ts'

type Redemption = Access & {
  codeHmacs: string[]
  /** The challenge of the presented verifier. Null: none was presented. */
  challenge: string | null
  tokenHmac: string
  requestId: string
  tokenTtlSeconds: number
}

/** `is_current`: whether the partner's access is still current. */
type RedemptionResult = BatchRow & { is_current: boolean; is_redeemed: boolean }

/**
 * Redeems exchange codes for access tokens.
 *
 * - `input`: the redemptions of the batch, with the presented code hashed with every pepper, and whether each
 *   partner's access is still current.
 * - `code`: locks the partner's own codes in the order of their ids.
 * - `locked_citizen`: the citizens of the codes, with the shared locks.
 * - `lock_time`: the time, read after all these locks.
 * - `redemption`: the codes that are redeemed now. Single use: the row is locked and `redeemed_at` was null.
 *   The code is unexpired and of the current epoch, its challenge is that of the presented verifier (or there
 *   is neither, RFC 9700, section 4.8.2), and the citizen's preferences allow the partner.
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
      select i.*, ${currentAccessExists(access, SSO_SCOPE)} as is_current
        from ${unnestHmacs(all, ({ codeHmacs }) => codeHmacs, {
          partner_id: ['bigint', ({ partnerId }) => partnerId],
          credential_id: ['bigint', ({ credentialId }) => credentialId],
          access_version: ['bigint', ({ accessVersion }) => accessVersion],
          challenge: ['text', ({ challenge }) => challenge],
          token_hmac: ['text', ({ tokenHmac }) => tokenHmac],
          request_id: ['text', ({ requestId }) => requestId],
        })}
    ), code as (
      select input_no, credential_id, token_hmac, request_id, x.id, x.partner_id, x.citizen_id, x.redeemed_at,
             x.expires_at, x.epoch, x.code_challenge is not distinct from challenge as is_bound
        from input join exchange_code x using (hmac, partner_id)
       where is_current order by x.id for update of x
    ), ${lockCitizens('shared', sql`select citizen_id from code`)}, ${lockTime('locked_citizen')}, redemption as (
      update exchange_code x set redeemed_at = now
        from lock_time, code join locked_citizen c on c.id = code.citizen_id
       where x.id = code.id and code.redeemed_at is null and now < code.expires_at
         and code.epoch = (select current_epoch())
         and code.is_bound and ${citizenAllows('c', sql`code.partner_id`)}
      returning x.id, x.partner_id, x.citizen_id, null as tracking_no,
                code.input_no, code.credential_id, code.token_hmac, code.request_id
    ), token as (
      insert into access_token
             (hmac, exchange_code_id, partner_id, credential_id, citizen_id, scope, expires_at, epoch)
      select token_hmac, id, partner_id, credential_id, citizen_id, ${SSO_SCOPE},
             now + make_interval(secs => ${tokenTtlSeconds}), (select current_epoch())
        from redemption, lock_time
    ), audit as (${insertAudit('redemption', 'code.redeemed')})
    select input_no, is_current, input_no in (select input_no from redemption) as is_redeemed
      from input where ${assertAllAudited('redemption')}`.execute(db)
  return rows
})
