import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { lockCitizens } from '../citizen-lock.sql.ts'

/**
 * Erases a citizen: deletes the data key, which makes every copy of the citizen's data unreadable, and
 * freezes the citizen, so that their QR values, codes and tokens are refused. `undefined`: the registry does
 * not know the citizen, or the citizen is erased already.
 *
 * - `citizen_lock`: the exclusive lock: no disclosure is in progress.
 * - `c`: the erased citizen. Its HMAC is replaced, so that it is never found again.
 * - `audit`: one row with the subject, in the same transaction.
 */
export async function destroyDataKey(
  db: Database,
  citizen: { uniqidHmacs: string[] } | { subject: string },
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<{ subject: string; erased_at: Date } | undefined> {
  const isThisCitizen =
    'subject' in citizen
      ? sql`subject = ${citizen.subject} and data_key is not null`
      : sql`uniqid_hmac = any(${citizen.uniqidHmacs})`
  const { rows } = await sql<{ subject: string; erased_at: Date }>`
    with ${lockCitizens('exclusive', sql`select id from citizen where ${isThisCitizen}`)}, c as (
      update citizen set data_key = null, uniqid = null, profile = null, passport = null, frozen = true,
                         uniqid_hmac = 'erased.' || subject
        from citizen_lock where ${isThisCitizen} returning id, subject
    ), audit as (${insertAdminAudit({
      ...action,
      kind: 'citizen.erased',
      from: 'c',
      citizen: 'id',
      detailColumn: 'subject::text',
    })})
    select subject, clock_now() as erased_at from c`.execute(db)
  return rows[0]
}

/** Whether a citizen has this subject, erased or not. */
export async function existsSubject(db: Database, subject: string): Promise<boolean> {
  const { rows } = await sql`select from citizen where subject = ${subject}`.execute(db)
  return rows.length > 0
}
