import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { lockCitizens } from '../citizen-lock.sql.ts'

/**
 * Erases a citizen: deletes the data key, which makes every copy of the citizen's data unreadable, and
 * freezes the citizen, so that their QR values, codes and tokens are refused. `undefined`: the registry does
 * not know the citizen, or the citizen is erased already.
 *
 * - `locked_citizen`: the citizen, with the exclusive lock: no disclosure is in progress.
 * - `c`: the erased citizen. Its HMAC is moved, so that only its receipt is found by it.
 * - `audit`: one row with the subject, in the same transaction.
 */
export async function destroyDataKey(
  db: Database,
  citizen: { uniqidHmacs: string[] } | { subject: string },
  action: Pick<AdminAction, 'actor' | 'requestId' | 'reason'>,
): Promise<{ subject: string; erased_at: Date } | undefined> {
  const isThisCitizen =
    'subject' in citizen
      ? sql`subject = ${citizen.subject} and data_key is not null`
      : sql`uniqid_hmac = any(${citizen.uniqidHmacs})`
  const { rows } = await sql<{ subject: string; erased_at: Date }>`
    with ${lockCitizens('exclusive', sql`select id from citizen where ${isThisCitizen}`)}, c as (
      update citizen c set data_key = null, uniqid = null, profile = null, passport = null, frozen = true,
                         uniqid_hmac = 'erased.' || subject,
                         erased_uniqid_hmac = uniqid_hmac
        from locked_citizen l where c.id = l.id and ${isThisCitizen} returning c.id, c.subject
    ), audit as (${insertAdminAudit({
      ...action,
      kind: 'citizen.erased',
      from: 'c',
      citizen: 'id',
      detailColumn: 'subject::text',
    })})
    select subject, (select occurred_at from audit) as erased_at from c`.execute(db)
  return rows[0]
}

/** Locks a citizen until the transaction ends. `undefined`: the registry does not know the citizen, or no longer. */
export async function lockCitizen(
  tx: Database,
  uniqidHmacs: string[],
): Promise<{ id: number; subject: string } | undefined> {
  const isThisCitizen = sql`uniqid_hmac = any(${uniqidHmacs})`
  await sql`with ${lockCitizens('exclusive', sql`select id from citizen where ${isThisCitizen}`)}
    select from locked_citizen`.execute(tx)
  // A statement of its own, so that it sees an erasure that it waited for.
  const { rows } = await sql<{ id: number; subject: string }>`
    select id, subject from citizen where ${isThisCitizen}`.execute(tx)
  return rows[0]
}

export type Erasure = { subject: string; erased_at: Date; request_id: string }

/** The newest erasure of a citizen who had this identifier. If its event is in the archive, the citizen has what the receipt shows. */
export async function findErasure(db: Database, uniqidHmacs: string[]): Promise<Erasure | undefined> {
  const { rows } = await sql<Erasure>`
    select c.subject, coalesce(e.occurred_at, c.erased_at) as erased_at, coalesce(e.request_id, c.erased_request_id) as request_id
      from citizen c left join audit_event e on e.citizen_id = c.id and e.kind = 'citizen.erased'
     where c.erased_uniqid_hmac = any(${uniqidHmacs}) and (e.id is not null or c.erased_at is not null)
     order by erased_at desc, e.id desc limit 1`.execute(db)
  return rows[0]
}

/** Whether a citizen has this subject, erased or not. */
export async function existsSubject(db: Database, subject: string): Promise<boolean> {
  const { rows } = await sql`select from citizen where subject = ${subject}`.execute(db)
  return rows.length > 0
}
