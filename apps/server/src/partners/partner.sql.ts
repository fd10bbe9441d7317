import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { PartnerRow } from './partner.ts'

/** The columns of `PartnerRow`, of a partner `p`. */
export const PARTNER_COLUMNS = sql.raw(
  `p.id, p.partner_code, p.name, p.purpose, p.scopes, p.status, p.callback_url, p.sso_url,
  p.ip_allow_list, p.limits, p.created_at`,
)

export async function findPartner(db: Database, partnerCode: string): Promise<PartnerRow | undefined> {
  const { rows } =
    await sql<PartnerRow>`select ${PARTNER_COLUMNS} from partner p where partner_code = ${partnerCode}`.execute(
      db,
    )
  return rows[0]
}
