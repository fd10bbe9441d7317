import { type RawBuilder, sql } from 'kysely'
import { actorName } from '../audit/actor-name.sql.ts'
import type { Database } from '../database/connect.ts'
import { etagOf, type IfMatch, matches } from '../database/etag.ts'
import type { PartnerRow } from './partner.ts'

/** Those of the `ETag`: what the service decides by itself conflicts with no change of an administrator. */
const COLUMNS = `p.id, p.partner_code, p.name, p.purpose, p.scopes, p.status, p.callback_url, p.sso_url,
  p.ip_allow_list, p.limits, p.created_at, p.going_live`
/** The columns of `PartnerRow`, of a partner `p`. */
export const PARTNER_COLUMNS = sql.raw(`${COLUMNS}, p.is_slowed`)

export type PartnerWithEtag = PartnerRow & { etag: string }
const etagOfPartner = (alias: string) => etagOf(sql.raw(COLUMNS.replaceAll('p.', `${alias}.`)))

/**
 * Common table expressions that give columns of the partner with this code new values, which may refer to `found`.
 *
 * - `found`: the partner, locked, so that the values and `ifMatch` are compared with those of a parallel change.
 * - `p`: the changed partner. If it has these values already, or `ifMatch` has another `ETag`, there is none: nothing is
 *   written, and no audit row either.
 * - `present`: the partner after the statement. `is_match`: whether `ifMatch` has its `ETag` before the statement.
 */
export function changePartnerColumns(
  partnerCode: string,
  values: Record<string, RawBuilder<unknown>>,
  ifMatch: IfMatch = null,
): RawBuilder<unknown> {
  const columns = Object.keys(values)
  const newValues = sql.join(Object.values(values))
  const isMatch = matches(etagOfPartner('found'), ifMatch)
  return sql`found as (
      select * from partner where partner_code = ${partnerCode} for no key update
    ), p as (
      update partner p set (${sql.join(columns.map((column) => sql.ref(column)))}) = row(${newValues}) from found
       where p.id = found.id and ${isMatch}
         and row(${sql.join(columns.map((column) => sql.ref(`found.${column}`)))}) is distinct from row(${newValues})
      returning ${PARTNER_COLUMNS}
    ), present as (
      select p.*, ${etagOfPartner('p')} as etag, ${isMatch} as is_match from (
        select * from p union all select ${PARTNER_COLUMNS} from found p where not exists (select from p)
      ) p, found
    )`
}

/** `decided_by_name`: of the administrator who decided about the report for going live. */
type FoundPartner = PartnerWithEtag & { decided_by_name: string | null }

export async function findPartner(db: Database, partnerCode: string): Promise<FoundPartner | undefined> {
  const { rows } = await sql<FoundPartner>`
    select ${PARTNER_COLUMNS}, ${etagOfPartner('p')} as etag,
           ${actorName(sql`p.going_live ->> 'decided_by'`)} as decided_by_name
      from partner p
     where partner_code = ${partnerCode}`.execute(db)
  return rows[0]
}

/** Locks a partner, so that its changes follow each other. */
export const lockPartner = (tx: Database, id: number) =>
  sql`select from partner where id = ${id} for no key update`.execute(tx)

export const lockPartnerByCode = (tx: Database, partnerCode: string) =>
  sql`select from partner where partner_code = ${partnerCode} for no key update`.execute(tx)

/** The names of all partners but one: first the active ones, each by partner code. */
export async function findOtherNames(
  db: Database,
  exceptCode: string,
): Promise<Pick<PartnerRow, 'partner_code' | 'name'>[]> {
  const { rows } = await sql<Pick<PartnerRow, 'partner_code' | 'name'>>`
    select partner_code, name from partner where partner_code <> ${exceptCode}
     order by status = 'ACTIVE' desc, partner_code`.execute(db)
  return rows
}
