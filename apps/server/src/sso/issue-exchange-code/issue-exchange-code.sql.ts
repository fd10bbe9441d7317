import { sql } from 'kysely'
import { assertAllAudited, insertAuditWithDetail } from '../../audit/insert-audit.sql.ts'
import { citizenAllows, lockCitizens } from '../../citizens/citizen-lock.sql.ts'
import { idOfCitizen } from '../../citizens/id-of-citizen.sql.ts'
import type { Database } from '../../database/connect.ts'
import { SSO_SCOPE } from '../access-token.ts'

type IssuedCode = { is_permitted: true; expires_at: Date; sso_url: string | null } | { is_permitted: false }

/**
 * Issues an exchange code. `undefined`: no such citizen, or no active partner with this partner code and the
 * scope.
 *
 * - `locked_citizen`: the citizen, with the shared lock.
 * - `parties`: the citizen and the partner, and whether the citizen's preferences allow the partner.
 * - `code`: the new code; none if the citizen forbids it.
 * - `audit`: one row for the code, with what binds it to the browser that began the sign-in, or the statement fails.
 */
export async function insertExchangeCode(
  db: Database,
  uniqidHmacs: string[],
  partnerCode: string,
  code: { hmac: string; challenge: string | undefined; hasState: boolean; ttlSeconds: number },
  requestId: string,
): Promise<IssuedCode | undefined> {
  const bound = [...(code.hasState ? ['state'] : []), ...(code.challenge === undefined ? [] : ['pkce'])]
  const { rows } = await sql<IssuedCode>`
    with ${lockCitizens('shared', idOfCitizen(uniqidHmacs))}, parties as (
      select c.id as citizen_id, p.id as partner_id, p.sso_url,
             ${citizenAllows('c', sql`p.id`)} as is_permitted
        from locked_citizen c, partner p
       where p.partner_code = ${partnerCode}
         and p.status = 'ACTIVE' and ${SSO_SCOPE} = any(p.scopes)
    ), code as (
      insert into exchange_code (hmac, partner_id, citizen_id, scope, code_challenge, expires_at)
      select ${code.hmac}, partner_id, citizen_id, ${SSO_SCOPE}, ${code.challenge ?? null}::text,
             clock_now() + make_interval(secs => ${code.ttlSeconds})
        from parties where is_permitted
      returning expires_at, partner_id, citizen_id, null as tracking_no, ${bound.join(' ') || null}::text as detail
    ), audit as (${insertAuditWithDetail('code', 'code.issued', requestId)})
    select is_permitted, sso_url, expires_at
      from parties left join code on true where ${assertAllAudited('code')}`.execute(db)
  return rows[0]
}
