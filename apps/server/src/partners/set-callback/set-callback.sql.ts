import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import type { IfMatch } from '../../database/etag.ts'
import { resetEndpoints } from '../../webhooks/reset-endpoints.sql.ts'
import type { PartnerWriter } from '../partner-cache.ts'
import { changePartnerColumns, type PartnerWithEtag } from '../partner.sql.ts'

/**
 * Sets the callback URL. `undefined`: no such partner. `is_match` false: nothing was changed, since `ifMatch` has another
 * `ETag`.
 *
 * - `matching`: the partner, if `ifMatch` has its `ETag`.
 * - `endpoint`: the endpoint, if it failed: the failures are forgotten, also if the URL stays.
 * - `audit`: one row for a change of either, in the same transaction.
 */
export async function setCallbackUrl(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  callbackUrl: string | null,
  action: AdminAction,
  ifMatch: IfMatch = null,
): Promise<(PartnerWithEtag & { is_match: boolean }) | undefined> {
  const { rows } = await sql<PartnerWithEtag & { is_match: boolean }>`
    with ${changePartnerColumns(partnerCode, { callback_url: sql`${callbackUrl}::text` }, ifMatch)},
    matching as (
      select id from present where is_match
    ), endpoint as (${resetEndpoints('matching')}
    ), changed as (
      select id from p union select id from endpoint
    ), audit as (${insertAdminAudit({ ...action, from: 'changed', partner: 'id' })})
    select * from present`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

/** The URLs that receive events of active partners, in no order. */
export async function listCallbackUrls(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct callback_url as url from partner
     where callback_url is not null and status = 'ACTIVE' limit ${limit}`.execute(db)
  return rows.map(({ url }) => url)
}
