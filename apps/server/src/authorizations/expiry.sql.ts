import { sql } from 'kysely'
import { assertAllAudited } from '../audit/insert-audit.sql.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { countForMetric } from '../database/count-for-metric.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import { RECORD_NOTICE } from '../database/notifications.ts'
import { insertAuditAndEvent } from './record.sql.ts'

/** Expiry belongs to no request. */
const ORIGIN = { requestId: 'expiry', traceparent: null }

const IS_DUE = sql`r.partner_id = due.partner_id and r.tracking_no = due.tracking_no`

/**
 * Stores the state EXPIRED of pending records whose time is over; returns how many. Readers see them as
 * expired before that. Any number of processes may run this.
 *
 * - `due`: locks expired records and skips those that another process has locked.
 * - `r`: the expired records. Only a pending record changes, so a record expires once.
 * - `audit`, `event`: committed together with the change; without the audit rows the statement fails.
 */
export async function expirePending(db: Database, limit: number): Promise<number> {
  const { rows } = await sql`
    with due as (
      select partner_id, tracking_no from authorization_record
       where state = 'PENDING' and expires_at <= (select clock_now())
       order by expires_at limit ${limit} for update skip locked
    ), r as (
      update authorization_record r set state = 'EXPIRED', ended_at = r.expires_at
        from due where ${IS_DUE} and r.state = 'PENDING'
      returning r.*
    ), ${insertAuditAndEvent('authorization.expired', ORIGIN)}
    select ${RECORD_NOTICE} from r where ${assertAllAudited('r')}`.execute(db)
  return rows.length
}

/**
 * Erases copies of profiles that may no longer be read; returns how many.
 *
 * - `due`: locks records with such a copy and skips those that another process has locked.
 */
export async function eraseSnapshots(db: Database, limit: number): Promise<number> {
  const { rows } = await sql`
    with due as (
      select partner_id, tracking_no from authorization_record
       where snapshot is not null and snapshot_until <= (select clock_now())
       order by snapshot_until limit ${limit} for update skip locked
    )
    update authorization_record r set snapshot = null from due where ${IS_DUE} returning 1`.execute(db)
  return rows.length
}

/** Deletes QR codes that expired long ago; returns how many. */
export function deleteExpiredQrCodes(db: Database, keptHours: number, limit: number): Promise<number> {
  const isOld = sql`expires_at < ${NOW} - make_interval(hours => ${keptHours})`
  return deleteOldRows(db, 'qr_code', ['id'], isOld, limit)
}

/** The partitions that are not those of a day (`record-partitions.sql.ts`). */
export const UNDATED_PARTITIONS = ['authorization_record_default', 'authorization_record_untimed'] as const

/** Deletes records of such a partition that ended long ago and have no copy of a profile; returns how many. */
export function deleteEndedRecords(
  db: Database,
  partition: (typeof UNDATED_PARTITIONS)[number],
  keptDays: number,
  limit: number,
): Promise<number> {
  const isOld = sql`snapshot is null and ended_at < ${NOW} - make_interval(days => ${keptDays})`
  return deleteOldRows(db, partition, ['partner_id', 'tracking_no'], isOld, limit)
}

/** The number of requests that wait for their citizen's answer. */
export const countPending = (db: Database): Promise<number> =>
  countForMetric(db, sql`select from authorization_record where state = 'PENDING' and expires_at > ${NOW}`)
