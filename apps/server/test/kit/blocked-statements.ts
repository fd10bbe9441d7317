import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

/** How many statements of this database wait for a lock. */
export async function countBlocked(db: Database): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/** Runs statements in a transaction with a lock timeout that a busy machine does not exceed. */
export const withLongLockTimeout = <Result>(
  db: Database,
  run: (tx: Database) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', '60000', true)`.execute(tx)
    return run(tx)
  })
