import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { resetEndpoints } from '../../webhooks/reset-endpoints.sql.ts'
import type { PartnerWriter } from '../partner-cache.ts'
import { PARTNER_COLUMNS } from '../partner.sql.ts'
import type { PartnerRow } from '../partner.ts'

/**
 * Sets the callback URL. `undefined`: no such partner.
 *
 * - `p`: the changed partner.
 * - `endpoint`: forgets failures of the previous URL.
 * - `audit`: one row, in the same transaction.
 */
export async function setCallbackUrl(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  callbackUrl: string | null,
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p set callback_url = ${callbackUrl}
       where partner_code = ${partnerCode} returning ${PARTNER_COLUMNS}
    ), endpoint as (${resetEndpoints('p')}
    ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
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
