import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { insertAuditWithDetail, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'

type NewQrCode = { hmac: string; purpose: Schemas['QrPurpose']; recordId: number; trackingNo: string }

type IssuedQrCode = { frozen: false; expires_at: Date; refresh_at: Date } | { frozen: true }

/**
 * Issues a QR code. `undefined`: the registry does not know the citizen.
 *
 * - `c`: the citizen.
 * - `code`: the new code; none if the citizen has frozen everything.
 * - `audit`: the audit has a row for the code, or the statement fails.
 */
export async function insertQrCode(
  db: Database,
  uniqidHmacs: string[],
  code: NewQrCode,
  ttlSeconds: number,
  requestId: string,
): Promise<IssuedQrCode | undefined> {
  const { rows } = await sql<IssuedQrCode>`
    with c as (
      select id, frozen from citizen where uniqid_hmac = any(${uniqidHmacs})
    ), code as (
      insert into qr_code (hmac, citizen_id, purpose, record_id, tracking_no, expires_at)
      select ${code.hmac}, id, ${code.purpose}, ${code.recordId}, ${code.trackingNo},
             clock_now() + make_interval(secs => ${ttlSeconds})
        from c where not frozen
      returning expires_at, expires_at - make_interval(secs => ${ttlSeconds} / 2.0) as refresh_at,
                null::bigint as partner_id, citizen_id, tracking_no, purpose as detail
    ), audit as (${insertAuditWithDetail('code', 'qr_code.issued', requestId)})
    select c.frozen, code.expires_at, code.refresh_at
      from c left join code on true where ${assertAllAudited('code')}`.execute(db)
  return rows[0]
}
