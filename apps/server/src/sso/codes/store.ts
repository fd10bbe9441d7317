import { sql } from 'kysely'
import { assertAllAudited, insertAudit } from '../../audit/store.ts'
import { citizenAllows } from '../../citizens/lock/store.ts'
import type { Database } from '../../database/connect.ts'
import { SSO_SCOPE } from '../store.ts'

type IssuedCode = { is_permitted: true; expires_at: Date; sso_url: string | null } | { is_permitted: false }

/**
 * Issues an exchange code. `undefined`: no such citizen, or no active partner with this partner code and the
 * scope.
 *
 * - `parties`: the citizen and the partner, and whether the citizen's preferences allow the partner.
 * - `code`: the new code; none if the citizen forbids it.
 * - `audit`: one row for the code, or the statement fails.
 */
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
      select c.id as citizen_id, p.id as partner_id, p.sso_url,
             ${citizenAllows('c', sql`p.id`)} as is_permitted
        from citizen c, partner p
       where c.uniqid_mac = any(${uniqidHmacs}) and p.partner_code = ${partnerCode}
         and p.status = 'ACTIVE' and ${SSO_SCOPE} = any(p.scopes)
    ), code as (
      insert into exchange_code (mac, partner_id, citizen_id, scope, expires_at)
      select ${mac}, partner_id, citizen_id, ${SSO_SCOPE}, clock_now() + make_interval(secs => ${ttlSeconds})
        from parties where is_permitted
      returning expires_at, partner_id, citizen_id, null as tracking_no
    ), audit as (${insertAudit('code', 'code.issued', requestId)})
    select is_permitted, sso_url, expires_at
      from parties left join code on true where ${assertAllAudited('code')}`.execute(db)
  return rows[0]
}

/**
 * Records that a code was refused, since it may have leaked.
 *
 * - `code`: the code, whichever partner it belongs to.
 * - `revoked_token`: revokes the token that the code gave, if the code's own partner sends it again more than
 *   a second after it was redeemed (RFC 6749, section 4.1.2).
 * - `reuse_audit`: one row for each revoked token.
 * - `foreign_code`: the code, if it belongs to another partner. It gets an audit row, and nothing changes.
 */
export async function recordRefusedCode(
  db: Database,
  partnerId: number,
  codeHmacs: string[],
  requestId: string,
): Promise<void> {
  await sql`
    with code as (
      select id, partner_id, citizen_id, redeemed_at, null as tracking_no
        from exchange_code where mac = any(${codeHmacs})
    ), revoked_token as (
      update access_token t set revoked_at = clock_now() from code
       where t.exchange_code_id = code.id and code.partner_id = ${partnerId} and t.revoked_at is null
         and code.redeemed_at < clock_now() - interval '1 second'
      returning t.partner_id, t.citizen_id, null as tracking_no
    ), reuse_audit as (${insertAudit('revoked_token', 'code.reused', requestId)}
    ), foreign_code as (
      select ${partnerId}::bigint as partner_id, citizen_id, tracking_no
        from code where partner_id <> ${partnerId}
    )
    ${insertAudit('foreign_code', 'code.presented_by_other_partner', requestId)}`.execute(db)
}
