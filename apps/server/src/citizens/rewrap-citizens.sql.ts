import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'
import { lockCitizens } from './citizen-lock.sql.ts'

export type KeyedCitizen = { id: number; subject: string; data_key: string; uniqid: string }

/**
 * Citizens whose data key is wrapped, or whose uniqid is hashed, by another key than these. Each other pair of keys in
 * use is a range of the index `citizen_keys`, so it costs the same however many citizens are current already. `except`: ids.
 */
export async function findWithOldKeys(
  db: Database,
  wrappingKid: string,
  pepperKid: string,
  limit: number,
  except: readonly number[],
): Promise<KeyedCitizen[]> {
  const { rows } = await sql<KeyedCitizen>`
    select c.* from (${pairsOtherThan(wrappingKid, pepperKid)}) old cross join lateral (
      select id, subject, data_key, uniqid from citizen
       where split_part(uniqid_hmac, '.', 1) = old.pepper_kid and split_part(data_key, '.', 1) = old.wrapping_kid
         and data_key is not null and id <> all(${except}::bigint[]) limit ${limit}
    ) c limit ${limit}`.execute(db)
  return rows
}

/** How many citizens `findWithOldKeys` would find without a limit. */
export async function countWithOldKeys(
  db: Database,
  wrappingKid: string,
  pepperKid: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(citizens), 0)::bigint as count from (${pairsOtherThan(wrappingKid, pepperKid)}) old`.execute(
    db,
  )
  return rows[0]!.count
}

/** How many citizens have keys: those that are not erased. */
export async function countCitizens(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(citizens), 0)::bigint as count from citizen_key_count`.execute(db)
  return rows[0]!.count
}

const pairsOtherThan = (wrappingKid: string, pepperKid: string) => sql`
    select pepper_kid, wrapping_kid, sum(citizens) as citizens from citizen_key_count
     where wrapping_kid <> ${wrappingKid} or pepper_kid <> ${pepperKid}
     group by 1, 2 having sum(citizens) > 0`

/** Adds up the rows of each pair of keys that has several. The numbers stay the same at every moment. */
export async function addUpKeyCounts(db: Database): Promise<void> {
  await sql`
    with old as (
      delete from citizen_key_count where (pepper_kid, wrapping_kid) in (
        select pepper_kid, wrapping_kid from citizen_key_count group by 1, 2 having count(*) > 1
      ) returning *
    )
    insert into citizen_key_count
    select pepper_kid, wrapping_kid, sum(citizens) from old group by 1, 2 having sum(citizens) <> 0`.execute(
    db,
  )
}

/** `from`: the wrapped data key as it was read. */
export type RewrappedCitizen = { id: number; from: string; data_key: string; uniqid_hmac: string }

/**
 * Stores rewrapped data keys, each only if the stored key is still the one that was read. A citizen that was
 * erased meanwhile stays erased.
 *
 * - `locked_citizen`: the citizens, with the exclusive locks.
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
    with ${lockCitizens('exclusive', sql`select unnest(${ids}::bigint[])`)},
    audit as (${insertAdminAudit({ ...audited, from: '(values (1)) as one_row' })})
    update citizen c set data_key = i.data_key, uniqid_hmac = i.uniqid_hmac
      from unnest(${ids}::bigint[], ${rewrapped.map(({ from }) => from)}::text[],
                  ${rewrapped.map(({ data_key }) => data_key)}::text[],
                  ${rewrapped.map(({ uniqid_hmac }) => uniqid_hmac)}::text[])
             as i (id, old_data_key, data_key, uniqid_hmac) join locked_citizen l on l.id = i.id
     where c.id = i.id and c.data_key = i.old_data_key`.execute(db)
}
