import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { PartnerWriter } from '../partners/partner-cache.ts'
import { changePartnerColumns } from '../partners/partner.sql.ts'
import type { PartnerRow } from '../partners/partner.ts'

/**
 * Stores the decision about a report. `undefined`: no such partner.
 *
 * - `p`: the partner, unless it has the same decision about the same report already.
 * - `audit`: one row for a new decision, in the same transaction.
 */
export async function storeDecision(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  goingLive: NonNullable<PartnerRow['going_live']>,
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { status, report_id } = goingLive
  const going_live = sql`
    case when found.going_live @> ${JSON.stringify({ status, report_id })}::jsonb then found.going_live
         else ${JSON.stringify(goingLive)}::jsonb end`
  const { rows } = await sql<PartnerRow>`
    with ${changePartnerColumns(partnerCode, { going_live })},
    audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from present`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}
