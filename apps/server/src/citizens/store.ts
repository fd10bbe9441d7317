// The statements on citizens: encrypted profile and data key. `erasure/store.ts` erases a citizen,
// `preferences/store.ts` has what a citizen forbids.
//
// States of a citizen: registered, erased (no data key, and an HMAC that no request finds). An erased citizen
// never returns; the same person registers as a new one.
//
// Example: a citizen freezes everything while a partner inquires. `putPreferences` takes the exclusive
// `citizen_lock`, waits for the inquiry that holds the shared one, stores the change, and every later inquiry
// discloses nothing.
//
// Guarantee: each statement that changes an existing citizen takes `citizen_lock` first (`lock/store.ts`), so
// no disclosure is in progress while it runs.
import { sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/store.ts'
import type { Database } from '../database/connect.ts'
import { lockCitizens } from './lock/store.ts'

/** A citizen as stored: the data key wrapped by the key ring, everything else encrypted with the data key. */
export type EncryptedCitizen = {
  /** A random id without meaning. The encrypted values are bound to it. */
  subject: string
  data_key: string
  uniqid: string
  profile: string
  passport: string | null
}

export type KeyedCitizen = { id: number; subject: string; data_key: string; uniqid: string }

/** Citizens whose data key is wrapped, or whose uniqid is hashed, by another key than these. */
export async function findWithOldKeys(
  db: Database,
  wrappingKid: string,
  pepperKid: string,
  limit: number,
): Promise<KeyedCitizen[]> {
  const { rows } = await sql<KeyedCitizen>`
    select id, subject, data_key, uniqid from citizen
     where data_key is not null
       and (split_part(data_key, '.', 1) <> ${wrappingKid}
            or split_part(uniqid_mac, '.', 1) <> ${pepperKid})
     limit ${limit}`.execute(db)
  return rows
}

/** How many citizens `findWithOldKeys` would find without a limit. */
export async function countWithOldKeys(
  db: Database,
  wrappingKid: string,
  pepperKid: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from citizen
     where data_key is not null
       and (split_part(data_key, '.', 1) <> ${wrappingKid}
            or split_part(uniqid_mac, '.', 1) <> ${pepperKid})`.execute(db)
  return rows[0]!.count
}

/** `from`: the wrapped data key as it was read. */
export type RewrappedCitizen = { id: number; from: string; data_key: string; uniqid_mac: string }

/**
 * Stores rewrapped data keys, each only if the stored key is still the one that was read. A citizen that was
 * erased meanwhile stays erased.
 *
 * - `citizen_lock`: the exclusive locks, in the order of the citizens' ids.
 * - `audit`: one row for the whole change, in the same transaction.
 */
export async function updateKeys(
  db: Database,
  rewrapped: RewrappedCitizen[],
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<void> {
  const audited = { ...action, kind: 'keys.rewrapped', detail: String(rewrapped.length) }
  const ids = rewrapped.map(({ id }) => id)
  await sql`
    with ${lockCitizens('exclusive', sql`select unnest(${ids}::bigint[]) as id`)},
    audit as (${insertAdminAudit({ ...audited, from: '(values (1)) as one_row' })})
    update citizen c set data_key = i.data_key, uniqid_mac = i.uniqid_mac
      from unnest(${ids}::bigint[], ${rewrapped.map(({ from }) => from)}::text[],
                  ${rewrapped.map(({ data_key }) => data_key)}::text[],
                  ${rewrapped.map(({ uniqid_mac }) => uniqid_mac)}::text[])
             as i (id, old_data_key, data_key, uniqid_mac), citizen_lock
     where c.id = i.id and c.data_key = i.old_data_key`.execute(db)
}

/** The citizen's wrapped data key, to encrypt a new profile. */
export async function findDataKey(
  db: Database,
  uniqidHmacs: string[],
): Promise<Pick<EncryptedCitizen, 'subject' | 'data_key'> | undefined> {
  const { rows } = await sql<Pick<EncryptedCitizen, 'subject' | 'data_key'>>`
    select subject, data_key from citizen where uniqid_mac = any(${uniqidHmacs})`.execute(db)
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
      insert into citizen (uniqid_mac, subject, data_key, uniqid, profile, passport)
      values (${uniqidHmac}, ${subject}, ${data_key}, ${uniqid}, ${profile}, ${passport})
      on conflict (uniqid_mac) do nothing returning id
    ), audit as (${action ? insertAdminAudit({ ...action, from: 'c', citizen: 'c.id' }) : sql`select`})
    select from c`.execute(db)
  return rows.length === 1
}

/**
 * Replaces a citizen's profile and passport, and keeps the preferences. False: the citizen was erased
 * meanwhile.
 *
 * - `citizen_lock`: the exclusive lock of the citizen.
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
      update citizen set profile = ${profile}, passport = ${passport} from citizen_lock
       where subject = ${subject} and data_key is not null returning id
    ), audit as (${action ? insertAdminAudit({ ...action, from: 'c', citizen: 'c.id' }) : sql`select`})
    select from c`.execute(db)
  return rows.length === 1
}

/** Deletes citizens, and with them their QR codes, records, exchange codes and tokens. */
export async function deleteCitizens(db: Database, ids: number[]): Promise<void> {
  await sql`
    with ${lockCitizens('exclusive', sql`select unnest(${ids}::bigint[]) as id`)}
    delete from citizen c using citizen_lock where c.id = any(${ids})`.execute(db)
}
