import { sql } from 'kysely'
import { notifyClock } from './changes.ts'
import type { Database } from './connect.ts'

/** A time as JSON has it everywhere else (RFC 3339, milliseconds, UTC). */
export const utc = (time: string) => sql`to_char(${sql.raw(time)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** What the one clock says. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_now() as now`.execute(db)
  return rows[0]!.now
}

/** How far the one clock was moved, as text. */
export async function readAdvance(db: Database): Promise<string> {
  const { rows } = await sql<{ advance: string }>`select advance::text as advance from clock`.execute(db)
  return rows[0]!.advance
}

/** Moves the one clock, for the sandbox and the tests: every lifetime can be seen without waiting. */
export async function advanceClock(db: Database, seconds: number): Promise<void> {
  await sql`update clock set advance = advance + make_interval(secs => ${seconds}) returning ${notifyClock}`.execute(db)
}
