import { sql } from 'kysely'
import { insertAudit, assertAllAudited } from '../audit/insert-audit.sql.ts'
import { lockCitizens, citizenAllows } from '../citizens/citizen-lock.sql.ts'
import { lockTime } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { currentAccessExists } from '../partners/access.sql.ts'
import type { Access } from '../partners/partner.ts'
import { isTrackingNo } from './tracking-day.sql.ts'

/**
 * Records another disclosure of a record's profile, or does nothing.
 *
 * - `access`: whether the partner's access is still current.
 * - `locked_citizen`, `lock_time`: the citizen, with the shared lock, only if the access is current; and the
 *   time after the lock.
 * - `r`: the record, if its profile may still be disclosed. It is checked and locked as by `inquireRecord`.
 * - `audit`: one row for the disclosure, or the statement fails.
 */
export async function writeDisclosure(
  db: Database,
  trackingNo: string,
  access: Access,
  requestId: string,
): Promise<{ is_current: boolean; is_recorded: boolean }> {
  const isThisRecord = sql`r.partner_id = ${access.partnerId} and ${isTrackingNo('r.tracking_no', trackingNo)}`
  const { rows } = await sql<{ is_current: boolean; is_recorded: boolean }>`
    with access as materialized (
      select ${currentAccessExists(access, sql`r.scope`)} as is_current
        from authorization_record r where ${isThisRecord}
    ), ${lockCitizens(
      'shared',
      sql`select citizen_id from authorization_record r
           where ${isThisRecord} and (select is_current from access)`,
    )}, ${lockTime('locked_citizen')}, r as (
      select r.partner_id, r.citizen_id, r.tracking_no
        from lock_time, authorization_record r join locked_citizen c on c.id = r.citizen_id
       where ${isThisRecord} and (select is_current from access)
         and r.state in ('ACCEPTED', 'VIEWED') and now < r.snapshot_until
         and ${citizenAllows('c', access.partnerId)}
         for share of r
    ), audit as (${insertAudit('r', 'profile.disclosed', requestId)})
    select is_current, exists (select from r) as is_recorded
      from access where ${assertAllAudited('r')}`.execute(db)
  return rows[0] ?? { is_current: true, is_recorded: false }
}
