import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** Seconds since PostgreSQL archived a segment of its log, or began to count. `undefined`: it archives nothing. */
export async function readArchivedSeconds(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset))::float8 as seconds
      from pg_stat_archiver where current_setting('archive_mode') <> 'off'`.execute(db)
  return rows[0]?.seconds
}
