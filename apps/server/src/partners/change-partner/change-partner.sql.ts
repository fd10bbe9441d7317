import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { PartnerWriter } from '../partner-cache.ts'
import { PARTNER_COLUMNS } from '../partner.sql.ts'
import type { PartnerRow } from '../partner.ts'

/**
 * Changes the given fields and keeps the others. `undefined`: no such partner.
 *
 * - `p`: the changed partner.
 * - `audit`: one row, in the same transaction.
 */
export async function updatePartner(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  { name, purpose, scopes, sso_url, ip_allow_list, limits }: Schemas['PartnerChange'],
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p
         set name = coalesce(${name ?? null}, name), purpose = coalesce(${purpose ?? null}, purpose),
             scopes = coalesce(${scopes ?? null}::text[], scopes),
             sso_url = case when ${sso_url !== undefined}::boolean then ${sso_url ?? null} else sso_url end,
             ip_allow_list = coalesce(${ip_allow_list ?? null}::text[], ip_allow_list),
             limits = limits || ${JSON.stringify(limits ?? {})}::jsonb
       where partner_code = ${partnerCode} returning ${PARTNER_COLUMNS}
    ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}
