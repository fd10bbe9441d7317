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

/** The names of all active partners but one, by partner code. */
export async function findActiveNames(
  db: Database,
  exceptCode: string,
): Promise<Pick<PartnerRow, 'partner_code' | 'name'>[]> {
  const { rows } = await sql<Pick<PartnerRow, 'partner_code' | 'name'>>`
    select partner_code, name from partner where status = 'ACTIVE' and partner_code <> ${exceptCode}
     order by partner_code`.execute(db)
  return rows
}
