import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

/** How many statements of this database wait for a lock. */
export async function countBlocked(db: Database): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

export const WAITS = 'waits'
/** The SQLSTATE of a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03'

/** The result of a statement while another transaction has run `held`, or `WAITS`. */
export async function whileHeld<Result>(
  db: Database,
  held: string,
  run: (tx: Database) => Promise<Result>,
): Promise<Result | typeof WAITS> {
  const holder = await db.startTransaction().execute()
  try {
    await sql.raw(held).execute(holder)
    return await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '100ms'`.execute(tx)
      return run(tx)
    })
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return WAITS
    throw error
  } finally {
    await holder.rollback().execute()
  }
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
