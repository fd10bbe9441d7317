import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** Settings of the server that no session can override. While one is not `on`, a crash loses acknowledged writes. */
export const NEEDED_FOR_CRASHES = ['fsync', 'full_page_writes'] as const

/** The names of those that are not `on`. A reload of PostgreSQL can change them at any time. */
export async function findUnsafeSettings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name = any(${NEEDED_FOR_CRASHES}) and setting <> 'on' order by name`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
