import { sql } from 'kysely'
import { insertAudit, assertAllAudited } from '../../audit/insert-audit.sql.ts'
import { lockCitizens, citizenAllows } from '../../citizens/citizen-lock.sql.ts'
import { batched, list } from '../../database/batch.ts'
import { lockTime } from '../../database/clock.ts'
import { currentAccessCondition } from '../../partners/access.sql.ts'
import type { Access } from '../../partners/partner.ts'
import { type EncryptedRecord, columnsWithoutSnapshot } from '../record.sql.ts'
import { isOnRecentDay } from '../tracking-day.sql.ts'

type Inquiry = Access & { trackingNo: string; requestId: string; timeZone: string }

type Inquired = EncryptedRecord & {
  input_no: number
  /** Whether the partner's access is still current. */
  is_current: boolean
  /** Until the partner's secret expires, by the database's clock. */
  secret_seconds_left: number
}

/**
 * Reads records for their partners, and writes the disclosure of each profile that it returns to the audit.
 *
 * - `statement_time`: the time before the locks, read once.
 * - `input`: the inquiries of the batch.
 * - `record`: the record of each inquiry, whether the partner's access is still current, and whether access,
 *   scope and state permit a disclosure. The probe is `lateral`, which forces one full index probe per
 *   inquiry. A join planned while the table was small would read all records of the partner.
 * - `locked_citizen`, `lock_time`: every citizen whose profile may be disclosed, with the shared lock, and the
 *   time after these locks.
 * - `disclosure`: the profiles to disclose. State, time and preferences are checked after the locks, which stay
 *   until the audit row is committed.
 * - `audit`: one row for each disclosure, or the statement fails.
 */
export const inquireRecord = batched(async (db, inquiries: Inquiry[]): Promise<Inquired[]> => {
  const column = (name: keyof Inquiry) => inquiries.map((each) => each[name])
  // The inputs of a batch share one database, so one service: its time zone is the same for all.
  const { timeZone } = inquiries[0]!
  // Each use of `NOW` would call the function again.
  const now = sql.raw('(select now from statement_time)')
  const isInRange = (record: string) =>
    isOnRecentDay(
      `${record}.tracking_no`,
      inquiries.map(({ trackingNo }) => trackingNo),
    )
  const { rows } = await sql<Inquired>`
    with statement_time as materialized (select clock_now() as now), input as (
      select * from unnest(${list(column('partnerId'), 'bigint')}, ${list(column('credentialId'), 'bigint')},
                           ${list(column('accessVersion'), 'bigint')}, ${list(column('trackingNo'), 'text')},
                           ${list(column('requestId'), 'text')})
             with ordinality
               as i (partner_id, credential_id, access_version, tracking_no, request_id, input_no)
    ), record as materialized (
      select i.input_no, i.request_id, r.*, access.is_current, k.expires_at as secret_expires_at,
             access.is_current and r.scope = any(p.scopes) and r.state in ('ACCEPTED', 'VIEWED')
               as may_disclose
        from input i cross join lateral (
          select * from authorization_record r
           where r.partner_id = i.partner_id and r.tracking_no = i.tracking_no and ${isInRange('r')} limit 1
        ) r join partner p on p.id = r.partner_id
        left join credential k on k.id = i.credential_id and k.partner_id = p.id
        cross join lateral (
          select coalesce(${currentAccessCondition(sql.ref('i.access_version'), 'PROFILE_INQUIRE', now)}, false)
                   as is_current
        ) access
    ), ${lockCitizens('shared', sql`select citizen_id from record where may_disclose`)},
    ${lockTime('locked_citizen')}, disclosure as (
      select r.input_no, r.request_id, r.partner_id, r.citizen_id, r.tracking_no, stored.snapshot
        from lock_time, record r join locked_citizen c on c.id = r.citizen_id cross join lateral (
          select stored.snapshot from authorization_record stored
           where stored.partner_id = r.partner_id and stored.tracking_no = r.tracking_no and ${isInRange('stored')}
             and stored.state in ('ACCEPTED', 'VIEWED') and now < stored.snapshot_until
             for share
        ) stored
       where r.may_disclose and ${citizenAllows('c', sql`r.partner_id`)}
    ), audit as (${insertAudit('disclosure', 'profile.disclosed')})
    select r.input_no, ${columnsWithoutSnapshot(timeZone, now)}, disclosure.snapshot,
           r.is_current, extract(epoch from r.secret_expires_at - ${now})::float8 as secret_seconds_left
      from record r join citizen c on c.id = r.citizen_id
      left join disclosure on disclosure.input_no = r.input_no
     where ${assertAllAudited('disclosure')}`.execute(db)
  return rows
})
