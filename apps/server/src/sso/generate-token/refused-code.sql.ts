import { sql } from 'kysely'
import { insertAudit } from '../../audit/insert-audit.sql.ts'
import { NOW } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'

const HOUR_AGO = sql`${NOW} - interval '1 hour'`

/**
 * Records that a code was refused, since it may have leaked.
 *
 * - `code`: the code, whichever partner it belongs to.
 * - `revoked_token`: revokes the token that the code gave, if the code's own partner sends it again more than
 *   a second after it was redeemed (RFC 6749, section 4.1.2).
 * - `reuse_audit`: one row for each revoked token.
 * - `foreign_code`: the code, if it belongs to another partner. It gets an audit row, and nothing changes. The row is
 *   written once an hour for this citizen and partner: rows of the audit stay for ever, and a partner could send one
 *   leaked code without end.
 */
export async function auditRefusedCode(
  db: Database,
  partnerId: number,
  codeHmacs: string[],
  requestId: string,
): Promise<void> {
  await sql`
    with code as (
      select id, partner_id, citizen_id, redeemed_at, null as tracking_no
        from exchange_code where hmac = any(${codeHmacs})
    ), revoked_token as (
      update access_token t set revoked_at = clock_now() from code
       where t.exchange_code_id = code.id and code.partner_id = ${partnerId} and t.revoked_at is null
         and code.redeemed_at < clock_now() - interval '1 second'
      returning t.partner_id, t.citizen_id, null as tracking_no
    ), reuse_audit as (${insertAudit('revoked_token', 'code.reused', requestId)}
    ), foreign_code as (
      select ${partnerId}::bigint as partner_id, citizen_id, tracking_no
        from code where partner_id <> ${partnerId} and not exists (
          select from audit_event e
           where e.citizen_id = code.citizen_id and e.kind = 'code.presented_by_other_partner'
             and e.id >= (select audit_id_floor(${HOUR_AGO})) and e.occurred_at > ${HOUR_AGO} and e.partner_id = ${partnerId}
        )
    )
    ${insertAudit('foreign_code', 'code.presented_by_other_partner', requestId)}`.execute(db)
}
