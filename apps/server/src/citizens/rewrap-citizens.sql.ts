import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'
import { lockCitizens } from './citizen-lock.sql.ts'

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
            or split_part(uniqid_hmac, '.', 1) <> ${pepperKid})
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
            or split_part(uniqid_hmac, '.', 1) <> ${pepperKid})`.execute(db)
  return rows[0]!.count
}

/** `from`: the wrapped data key as it was read. */
export type RewrappedCitizen = { id: number; from: string; data_key: string; uniqid_hmac: string }

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
    update citizen c set data_key = i.data_key, uniqid_hmac = i.uniqid_hmac
      from unnest(${ids}::bigint[], ${rewrapped.map(({ from }) => from)}::text[],
                  ${rewrapped.map(({ data_key }) => data_key)}::text[],
                  ${rewrapped.map(({ uniqid_hmac }) => uniqid_hmac)}::text[])
             as i (id, old_data_key, data_key, uniqid_hmac), citizen_lock
     where c.id = i.id and c.data_key = i.old_data_key`.execute(db)
}
