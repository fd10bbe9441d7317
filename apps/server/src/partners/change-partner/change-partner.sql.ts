import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { voidApprovals } from '../../approvals/approval.sql.ts'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { IfMatch } from '../../database/etag.ts'
import type { PartnerWriter } from '../partner-cache.ts'
import { changePartnerColumns, type PartnerWithEtag } from '../partner.sql.ts'

/**
 * Changes the given fields and keeps the others. `undefined`: no such partner. `is_match` false: nothing was changed,
 * since `ifMatch` has another `ETag`. The present scopes are the latest word, too: they void further ones that wait.
 *
 * - `audit`: one row for a change, in the same transaction.
 */
export async function updatePartner(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  { name, purpose, scopes, sso_url, ip_allow_list, limits }: Schemas['PartnerChange'],
  action: AdminAction,
  ifMatch: IfMatch = null,
): Promise<(PartnerWithEtag & { is_match: boolean }) | undefined> {
  const { rows } = await sql<PartnerWithEtag & { is_match: boolean }>`
    with ${changePartnerColumns(
      partnerCode,
      {
        name: sql`coalesce(${name ?? null}, found.name)`,
        purpose: sql`coalesce(${purpose ?? null}, found.purpose)`,
        scopes: sql`coalesce(${scopes ?? null}::text[], found.scopes)`,
        sso_url: sso_url === undefined ? sql`found.sso_url` : sql`${sso_url}::text`,
        ip_allow_list: sql`coalesce(${ip_allow_list ?? null}::text[], found.ip_allow_list)`,
        limits: sql`found.limits || ${JSON.stringify(limits ?? {})}::jsonb`,
      },
      ifMatch,
    )}, audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from present`.execute(db)
  if (scopes && rows[0]?.is_match) await voidApprovals(db, rows[0].id, ['scopes'])
  partnerCache.invalidate()
  return rows[0]
}
