import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** The key of the advisory lock. Any number that no other program uses. */
const LOCK_KEY = 7_410_202
/** Far longer than the start of another process takes, but limited, in case that process hangs. */
const LOCK_TIMEOUT_MS = '60000'

/**
 * Runs `act` in a transaction without a statement timeout, in one process at a time. For the start of several
 * processes at once.
 */
export const withStartupLock = <Result>(
  db: Database,
  act: (tx: Database) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await sql`
      select set_config('statement_timeout', '0', true),
             set_config('lock_timeout', ${LOCK_TIMEOUT_MS}, true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_KEY)})`.execute(tx)
    return act(tx)
  })
