import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { PartnerRow } from './partner.ts'

/** The columns of `PartnerRow`, of a partner `p`. */
export const PARTNER_COLUMNS = sql.raw(
  `p.id, p.partner_code, p.name, p.purpose, p.scopes, p.status, p.callback_url, p.sso_url,
  p.ip_allow_list, p.limits, p.created_at`,
)

/**
 * Common table expressions that give columns of the partner with this code new values, which may refer to `found`.
 *
 * - `found`: the partner, locked, so that the values are compared with those of a parallel change.
 * - `p`: the changed partner. If it has these values already, there is none: nothing is written, and no audit row either.
 * - `present`: the partner after the statement.
 */
export function changePartnerColumns(
  partnerCode: string,
  values: Record<string, RawBuilder<unknown>>,
): RawBuilder<unknown> {
  const columns = Object.keys(values)
  const newValues = sql.join(Object.values(values))
  return sql`found as (
      select * from partner where partner_code = ${partnerCode} for no key update
    ), p as (
      update partner p set (${sql.join(columns.map((column) => sql.ref(column)))}) = row(${newValues}) from found
       where p.id = found.id
         and row(${sql.join(columns.map((column) => sql.ref(`found.${column}`)))}) is distinct from row(${newValues})
      returning ${PARTNER_COLUMNS}
    ), present as (
      select * from p union all select ${PARTNER_COLUMNS} from found p where not exists (select from p)
    )`
}

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
