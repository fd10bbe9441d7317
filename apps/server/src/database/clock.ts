import { sql } from 'kysely'
import { announcedClock } from './changes.ts'
import type { Database } from './connect.ts'

/** What the one clock says. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_now() as now`.execute(db)
  return rows[0]!.now
}

/** Moves the one clock, for the sandbox and the tests: every lifetime can be seen without waiting. */
export async function advanceClock(db: Database, seconds: number): Promise<void> {
  await sql`update clock set advance = advance + make_interval(secs => ${seconds}) returning ${announcedClock}`.execute(db)
}
