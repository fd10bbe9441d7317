import { type RawBuilder, sql } from 'kysely'
import type { Database } from './connect.ts'
import { notifyClock } from './notifications.ts'

/** A time as JSON has it everywhere else (RFC 3339, milliseconds, UTC). */
export const utc = (time: string) => sql`to_char(${sql.raw(time)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The time, read once for a statement: each call of `clock_now()` costs some microseconds. */
export const NOW: RawBuilder<unknown> = sql.raw('(select clock_now())')

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

/**
 * Moves the one clock, for the sandbox and the tests: every lifetime can be seen without waiting. The update itself checks that all moves
 * together stay within `mostSeconds`, so that two at once cannot exceed it. False: the move would, and the clock stays where it is.
 */
export async function advanceClock(db: Database, seconds: number, mostSeconds: number | null): Promise<boolean> {
  const { rows } = await sql`
    update clock set advance = advance + make_interval(secs => ${seconds})
     where ${mostSeconds}::float8 is null or advance + make_interval(secs => ${seconds}) <= make_interval(secs => ${mostSeconds}::float8)
    returning ${notifyClock}`.execute(db)
  return rows.length > 0
}

/** The sum of all moves. */
export async function readAdvancedSeconds(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select extract(epoch from advance)::float8 as seconds from clock`.execute(db)
  return rows[0]!.seconds
}
