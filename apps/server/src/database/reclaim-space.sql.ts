import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** Of the log of all writes (WAL). */
const EVERY_BYTES = 16 * 2 ** 20

/**
 * Makes the space of deleted rows, and of earlier versions of rows, free for new ones. A PostgreSQL server does
 * that itself, but the embedded one has no background processes. The returned function does so after each 16 MiB of
 * writes, also if they are those of several short runs.
 */
export function createReclaimSpace(db: Database, everyBytes = EVERY_BYTES): () => Promise<void> {
  let reclaimed: number | undefined
  return async () => {
    const { rows } = await sql<{ written: number }>`
      select floor(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') / ${everyBytes}::bigint)::float8
             as written`.execute(db)
    const { written } = rows[0]!
    if (reclaimed !== undefined && written > reclaimed) {
      await sql`vacuum`.execute(db)
      // Also of the log.
      await sql`checkpoint`.execute(db)
    }
    reclaimed = written
  }
}
