import { sql } from 'kysely'
import {
  type RequestContext,
  assertAllAudited,
  type AdminAction,
  insertAdminAudit,
} from '../../audit/insert-audit.sql.ts'
import { lockCitizens } from '../../citizens/citizen-lock.sql.ts'
import { idOfCitizen } from '../../citizens/id-of-citizen.sql.ts'
import type { Database } from '../../database/connect.ts'
import { RECORD_NOTICE } from '../../database/notifications.ts'
import { insertAuditAndEvent, insertRecordEvent } from '../record.sql.ts'
import { isTrackingNo } from '../tracking-day.sql.ts'

/**
 * Revokes the consent of an accepted or viewed record and erases its copy of the profile, or does nothing.
 *
 * - `locked_citizen`: queues with the disclosures, so that a partner that reads again and again cannot delay
 *   the revocation.
 * - `r`: the revoked record. Only an accepted or viewed record changes.
 * - `audit`, `event`: committed together with the change; without the audit row the statement fails.
 */
export async function revokeConsent(
  db: Database,
  uniqidHmacs: string[],
  trackingNo: string,
  origin: RequestContext,
): Promise<void> {
  await sql`
    with ${lockCitizens('exclusive', idOfCitizen(uniqidHmacs))}, r as (
      update authorization_record r
         set state = 'REVOKED', ended_at = clock_now(), snapshot = null, snapshot_until = null
        from locked_citizen c
       where c.id = r.citizen_id and ${isTrackingNo('r.tracking_no', trackingNo)}
         and r.state in ('ACCEPTED', 'VIEWED')
      returning r.*
    ), ${insertAuditAndEvent('authorization.revoked', origin)}
    select ${RECORD_NOTICE} from r where ${assertAllAudited('r')}`.execute(db)
}

/**
 * Revokes the consent of an accepted or viewed record again, after a restore, and erases its copy of the
 * profile. `undefined`: no such record. Other states hold no consent, so they stay.
 *
 * - `locked_citizen`: the record's citizen, with the exclusive lock.
 * - `found`: locks the record.
 * - `r`: the revoked record, if it was accepted or viewed.
 * - `audit`, `event`: committed together with the change. The partner gets the event again, since the first
 *   one may be lost.
 */
export async function reapplyRevocation(
  db: Database,
  partnerCode: string,
  trackingNo: string,
  action: AdminAction & RequestContext,
): Promise<{ is_changed: boolean } | undefined> {
  const isThisRecord = sql`p.partner_code = ${partnerCode} and ${isTrackingNo('r.tracking_no', trackingNo)}`
  const audited = { from: 'r', partner: 'partner_id', citizen: 'citizen_id', trackingNo: 'tracking_no' }
  const { rows } = await sql<{ is_changed: boolean }>`
    with ${lockCitizens(
      'exclusive',
      sql`select r.citizen_id from authorization_record r join partner p on p.id = r.partner_id
           where ${isThisRecord}`,
    )}, found as (
      select r.partner_id from locked_citizen c join authorization_record r on r.citizen_id = c.id
        join partner p on p.id = r.partner_id where ${isThisRecord} for update of r
    ), r as (
      update authorization_record r
         set state = 'REVOKED', ended_at = clock_now(), snapshot = null, snapshot_until = null
        from found f
        where r.partner_id = f.partner_id and ${isTrackingNo('r.tracking_no', trackingNo)} and r.state in ('ACCEPTED', 'VIEWED') returning r.*
    ), audit as (${insertAdminAudit({ ...action, ...audited })}),
    event as (${insertRecordEvent('authorization.revoked', action)})
    select r.id is not null as is_changed, ${RECORD_NOTICE}
      from found left join r on true where ${assertAllAudited('r')}`.execute(db)
  return rows[0]
}
