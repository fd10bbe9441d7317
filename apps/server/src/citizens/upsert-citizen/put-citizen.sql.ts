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
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import type { EncryptedCitizen, StoredCitizen } from '../citizen-encryption.ts'
import { lockCitizens } from '../citizen-lock.sql.ts'

/** The citizen as stored, to compare and encrypt a new profile. */
export async function findStoredCitizen(
  db: Database,
  uniqidHmacs: string[],
): Promise<StoredCitizen | undefined> {
  const { rows } = await sql<StoredCitizen>`
    select subject, data_key, profile, passport from citizen
     where uniqid_hmac = any(${uniqidHmacs})`.execute(db)
  return rows[0]
}

/**
 * Creates a citizen. False: the citizen exists already.
 *
 * - `c`: the new citizen; none if the HMAC exists.
 * - `audit`: one row for the action of an administrator, if there is one.
 */
export async function insertCitizen(
  db: Database,
  uniqidHmac: string,
  { subject, data_key, uniqid, profile, passport }: EncryptedCitizen,
  action?: AdminAction,
): Promise<boolean> {
  const { rows } = await sql`
    with c as (
      insert into citizen (uniqid_hmac, subject, data_key, uniqid, profile, passport)
      values (${uniqidHmac}, ${subject}, ${data_key}, ${uniqid}, ${profile}, ${passport})
      on conflict (uniqid_hmac) do nothing returning id
    ), audit as (${action ? insertAdminAudit({ ...action, from: 'c', citizen: 'c.id' }) : sql`select`})
    select from c`.execute(db)
  return rows.length === 1
}

/**
 * Replaces a citizen's profile and passport, and keeps the preferences. False: the citizen was erased
 * meanwhile.
 *
 * - `locked_citizen`: the citizen, with the exclusive lock.
 * - `c`: the citizen, unless erased.
 * - `audit`: one row for the action of an administrator, if there is one.
 */
export async function updateCitizen(
  db: Database,
  { subject, profile, passport }: EncryptedCitizen,
  action?: AdminAction,
): Promise<boolean> {
  const { rows } = await sql`
    with ${lockCitizens('exclusive', sql`select id from citizen where subject = ${subject}`)}, c as (
      update citizen c set profile = ${profile}, passport = ${passport} from locked_citizen l
       where c.id = l.id and c.data_key is not null returning c.id
    ), audit as (${action ? insertAdminAudit({ ...action, from: 'c', citizen: 'c.id' }) : sql`select`})
    select from c`.execute(db)
  return rows.length === 1
}
