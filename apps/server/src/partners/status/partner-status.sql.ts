import { sql } from 'kysely'
import { voidApprovals } from '../../approvals/approval.sql.ts'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { PartnerWriter } from '../partner-cache.ts'
import { changePartnerColumns } from '../partner.sql.ts'
import type { PartnerRow } from '../partner.ts'

/**
 * Suspends or resumes a partner. `undefined`: no such partner. A partner that needs a report for going live stays
 * suspended until one is accepted. An act that changes nothing is the latest word, too: it voids the other one that waits.
 *
 * - `audit`: one row for a change, in the same transaction.
 */
export async function setPartnerStatus(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  status: PartnerRow['status'],
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with ${changePartnerColumns(partnerCode, { status: sql`case when ${mayHave('found', status)} then ${status}::text else found.status end` })},
    audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from present`.execute(db)
  if (rows[0]) await voidApprovals(db, rows[0].id, ['status'])
  partnerCache.invalidate()
  return rows[0]
}

/** Whether a partner may have the status. */
const mayHave = (alias: string, status: PartnerRow['status']) =>
  sql`(${status} = 'SUSPENDED' or coalesce(${sql.ref(`${alias}.going_live`)} ->> 'status', 'ACCEPTED') = 'ACCEPTED')`

/**
 * Suspends or resumes a partner again. `undefined`: no such partner.
 *
 * - `found`: the partner. `is_changed_since`: it was suspended or resumed after `at`, or needs
 *   a report for going live.
 * - `p`: the partner, if it has the other status and was not changed since.
 * - `audit`: one row if it is changed now, in the same transaction.
 */
export async function reapplyPartnerStatus(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  status: PartnerRow['status'],
  at: Date,
  action: AdminAction,
): Promise<{ is_in_effect: boolean; is_changed_since: boolean } | undefined> {
  const found = await db.transaction().execute(async (tx) => {
    // The lock is a statement of its own, so that the next one sees the audit of the change it waited for.
    await sql`select from partner where partner_code = ${partnerCode} for no key update`.execute(tx)
    const { rows } = await sql<{ is_in_effect: boolean; is_changed_since: boolean }>`
      with found as (
        select p.id, p.status = ${status} as is_in_effect, exists (
                 select from audit_event e
                  where e.partner_id = p.id and e.kind in ('partner.suspended', 'partner.resumed')
                    and e.occurred_at > ${at}
               ) or not ${mayHave('p', status)} as is_changed_since
          from partner p where p.partner_code = ${partnerCode}
      ), p as (
        update partner p set status = ${status} from found f
         where p.id = f.id and not f.is_in_effect and not f.is_changed_since returning p.id
      ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
      select is_in_effect, is_changed_since from found`.execute(tx)
    return rows[0]
  })
  partnerCache.invalidate()
  return found
}
