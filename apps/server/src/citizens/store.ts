import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { CitizenRecord } from './profile.ts'

/** Creates or replaces a citizen; tells whether they were unknown. */
export async function putCitizen(db: Database, { profile, passport }: CitizenRecord): Promise<{ created: boolean }> {
  const { rows } = await sql<{ created: boolean }>`
    insert into citizen (uniqid, profile, passport)
    values (${profile.uniqid}, ${JSON.stringify(profile)}::text::json, ${passport && JSON.stringify(passport)}::text::json)
    on conflict (uniqid) do update set profile = excluded.profile, passport = excluded.passport
    returning xmax = 0 as created`.execute(db)
  return rows[0]!
}
