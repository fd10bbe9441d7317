// The statements that write citizens: encrypted profile and data key.
//
// States of a citizen: registered, erased (no data key, and an HMAC that no request finds). An erased citizen
// never returns; the same person registers as a new one.
//
// Example: a citizen freezes everything while a partner inquires. `putPreferences` takes the exclusive
// lock of the citizen, waits for the inquiry that holds the shared one, stores the change, and every later inquiry
// discloses nothing.
//
// Guarantee: each statement that changes an existing citizen takes the exclusive lock first (`citizen-lock.sql.ts`), so
// no disclosure is in progress while it runs.
import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'
import type { EncryptedCitizen, StoredCitizen } from './citizen-encryption.ts'
import { lockCitizens } from './citizen-lock.sql.ts'

/** The citizens that exist, by the HMAC under which they were found. */
export async function findStoredCitizens(
  db: Database,
  uniqidHmacs: string[],
): Promise<Map<string, StoredCitizen>> {
  const { rows } = await sql<StoredCitizen & { uniqid_hmac: string }>`
    select uniqid_hmac, subject, data_key, profile, passport from citizen
     where uniqid_hmac = any(${uniqidHmacs})`.execute(db)
  return new Map(rows.map(({ uniqid_hmac, ...stored }) => [uniqid_hmac, stored]))
}

/** `is_known`: the citizen existed when its data key was looked up. */
export type NewCitizenRow = EncryptedCitizen & { uniqid_hmac: string; is_known: boolean }

/**
 * Creates or replaces citizens; returns the subjects of those that were written. A citizen that another
 * request created or erased since it was looked up is not written.
 *
 * - `input`: the citizens to write.
 * - `locked_citizen`: the existing citizens, with the exclusive locks.
 * - `replacement`: the existing citizens that were written; an erased one is left out.
 * - `creation`: the new citizens; one that exists meanwhile is left out.
 * - `citizen_row`: both together.
 * - `audit`: one row for each written citizen if there is an action of an administrator.
 */
export async function writeCitizens(
  db: Database,
  citizens: NewCitizenRow[],
  action?: AdminAction,
): Promise<Set<string>> {
  const { rows } = await sql<{ subject: string }>`
    with input as (
      select * from json_to_recordset(${JSON.stringify(citizens)}::text::json)
        as i (is_known boolean, uniqid_hmac text, subject uuid, data_key text,
              uniqid text, profile text, passport text)
    ), ${lockCitizens(
      'exclusive',
      sql`select c.id from citizen c join input i on i.is_known and i.subject = c.subject`,
    )}, replacement as (
      update citizen c set profile = i.profile, passport = i.passport from input i, locked_citizen l
       where c.id = l.id and i.subject = c.subject and c.data_key is not null returning c.id, c.subject
    ), creation as (
      insert into citizen (uniqid_hmac, subject, data_key, uniqid, profile, passport)
      select uniqid_hmac, subject, data_key, uniqid, profile, passport
        from input where not is_known order by uniqid_hmac
      on conflict (uniqid_hmac) do nothing returning id, subject
    ), citizen_row as (
      select id, subject from replacement union all select id, subject from creation
    ), audit as (${
      action ? insertAdminAudit({ ...action, from: 'citizen_row', citizen: 'id' }) : sql`select`
    })
    select subject from citizen_row`.execute(db)
  return new Set(rows.map(({ subject }) => subject))
}
