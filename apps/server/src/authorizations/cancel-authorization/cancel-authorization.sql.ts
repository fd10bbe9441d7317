import { sql } from 'kysely'
import { type RequestContext, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { RECORD_NOTICE } from '../../database/notifications.ts'
import { insertAuditAndEvent } from '../record.sql.ts'
import { isTrackingNo } from '../tracking-day.sql.ts'

/**
 * Cancels a pending record of the partner, or does nothing.
 *
 * - `locked_record`: locks the record. The time in `r` is read after the lock.
 * - `r`: the cancelled record. Only a pending, unexpired record changes.
 * - `audit`, `event`: committed together with the change; without the audit row the statement fails.
 */
export async function cancelPending(
  db: Database,
  partnerId: number,
  trackingNo: string,
  origin: RequestContext,
): Promise<void> {
  await sql`
    with locked_record as (
      select state, expires_at from authorization_record
       where partner_id = ${partnerId} and ${isTrackingNo('tracking_no', trackingNo)} for update
    ), r as (
      update authorization_record r set state = 'CANCELLED', ended_at = clock_now() from locked_record l
       where r.partner_id = ${partnerId} and ${isTrackingNo('r.tracking_no', trackingNo)} and l.state = 'PENDING' and clock_now() < l.expires_at
      returning r.*
    ), ${insertAuditAndEvent('authorization.cancelled', origin)}
    select ${RECORD_NOTICE} from r where ${assertAllAudited('r')}`.execute(db)
}
