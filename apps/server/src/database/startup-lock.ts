import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** Any number that nobody else locks. */
const STARTING = 7_410_202
/** Far longer than another process needs; one that hangs is not waited for for ever. */
const LONGEST_WAIT_MS = '60000'

/** For what processes that start at once must do one after the other: in a transaction that is kept whole or not at all, and that may take its time. */
export const withStartupLock = <Result>(db: Database, act: (tx: Database) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${LONGEST_WAIT_MS}, true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(${sql.lit(STARTING)})`.execute(tx)
    return act(tx)
  })
