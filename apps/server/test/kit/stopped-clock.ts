// A stopped clock of the database, for tests of what happens exactly when a lifetime ends.
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

const LOCK_NOT_AVAILABLE = '55P03'

const replaceClock = (body: string) =>
  `create or replace function clock_now() returns timestamptz language plpgsql volatile as $$ ${body} $$`

/** SQL that stops the clock at a time, given as SQL. */
export const stopClockAt = (time: string) => `do $do$ begin execute format(
  '${replaceClock('begin return %L::timestamptz; end')}', ${time}); end $do$`

/** SQL that stops the clock at the current time. */
export const STOP_CLOCK = stopClockAt('clock_now()')

/** SQL that lets the clock run again, as the migration defines it. */
export const RUN_CLOCK = replaceClock('begin return clock_timestamp() + (select advance from clock); end')

/**
 * Runs `act` in a transaction whose clock is stopped at a full second, and rolls it back. The workers of the
 * service see neither its rows nor its clock. If another test has the lock of a partition, `act` runs again.
 */
export async function rolledBack(db: Database, act: (tx: Database) => Promise<void>): Promise<void> {
  const tx = await db.startTransaction().execute()
  try {
    await sql.raw(stopClockAt(`date_trunc('second', clock_now())`)).execute(tx)
    return await act(tx)
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
  } finally {
    await tx.rollback().execute()
  }
  return rolledBack(db, act)
}
