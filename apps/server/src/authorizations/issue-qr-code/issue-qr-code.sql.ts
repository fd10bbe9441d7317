import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { insertAuditWithDetail, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import { citizenAllows, lockCitizens } from '../../citizens/citizen-lock.sql.ts'
import { idOfCitizen } from '../../citizens/id-of-citizen.sql.ts'
import type { Database } from '../../database/connect.ts'
import type { EncryptedRecord } from '../record.sql.ts'

type NewQrCode = {
  hmac: string
  purpose: Schemas['QrPurpose']
  /** The only partner that can use the code. */
  partnerCode: string | null
  recordId: number
  trackingNo: string
}

/** The scopes with which a partner can use a QR code. Each purpose can start a request for authorization. */
const SCOPES: Record<NewQrCode['purpose'], EncryptedRecord['scope'][]> = {
  inquire: ['PROFILE_INQUIRE'],
  share: ['PROFILE_INQUIRE', 'PROFILE_VIEW'],
}

type IssuedQrCode = { is_permitted: true; expires_at: Date; refresh_at: Date } | { is_permitted: false }

/**
 * Issues a QR code. `undefined`: the registry does not know the citizen, or no active partner with this code has
 * a scope with which it could use the QR code.
 *
 * - `locked_citizen`: the citizen, with the shared lock.
 * - `parties`: the citizen, the partner if the code is for one, and whether the citizen's preferences allow it.
 * - `code`: the new code; none if the citizen has frozen everything or blocks the partner.
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
    with ${lockCitizens('shared', idOfCitizen(uniqidHmacs))}, parties as (
      select c.id as citizen_id, p.id as partner_id,
             case when p.id is null then not c.frozen else ${citizenAllows('c', sql`p.id`)} end as is_permitted
        from locked_citizen c left join partner p
          on p.partner_code = ${code.partnerCode} and p.status = 'ACTIVE'
             and p.scopes && ${SCOPES[code.purpose]}::text[]
       where (p.id is not null or ${code.partnerCode}::text is null)
    ), code as (
      insert into qr_code (hmac, citizen_id, partner_id, purpose, record_id, tracking_no, expires_at)
      select ${code.hmac}, citizen_id, partner_id, ${code.purpose}, ${code.recordId}, ${code.trackingNo},
             clock_now() + make_interval(secs => ${ttlSeconds})
        from parties where is_permitted
      returning expires_at, expires_at - make_interval(secs => ${ttlSeconds} / 2.0) as refresh_at,
                partner_id, citizen_id, tracking_no, purpose as detail
    ), audit as (${insertAuditWithDetail('code', 'qr_code.issued', requestId)})
    select is_permitted, code.expires_at, code.refresh_at
      from parties left join code on true where ${assertAllAudited('code')}`.execute(db)
  return rows[0]
}
