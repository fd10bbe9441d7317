import { type RawBuilder, sql } from 'kysely'
import { Failure } from '../failure.ts'
import type { Database } from './connect.ts'

/** A time in the format that all JSON of the API has (RFC 3339, milliseconds, UTC). */
export const utc = (time: string) =>
  sql`to_char(${sql.raw(time)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The time, read once per statement: each call of `clock_now()` costs some microseconds. */
export const NOW: RawBuilder<unknown> = sql.raw('(select clock_now())')

/**
 * The CTE `lock_time`: the time `now`, read after the CTE `locks` has taken its locks. PostgreSQL may check a
 * condition before it waits for a later lock, so the condition must not call `clock_now()` itself.
 */
export const lockTime = (locks: string): RawBuilder<unknown> => sql`lock_time as materialized (
      select clock_now() as now from (select count(*) from ${sql.raw(locks)}) locks
    )`

/** The time of the database's clock. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_now() as now`.execute(db)
  return rows[0]!.now
}

/** How many seconds the real clock of the database is ahead of the one of this machine. */
export async function readClockAhead(db: Database): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return Math.round((rows[0]!.now.getTime() - Date.now()) / 1_000)
}

const DAY_MS = 86_400_000
export const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * DAY_MS)

/** The years 1 to 9999: both database engines parse these times as JavaScript writes them. */
const YEAR_1_MS = -62_135_596_800_000
const YEAR_10000_MS = 253_402_300_800_000
export const NOT_STORABLE = 'is not a time in the years 1 to 9999'
export const isStorable = (time: Date) => time.getTime() >= YEAR_1_MS && time.getTime() < YEAR_10000_MS

/**
 * The request validator checks only the form of a time, so it accepts a 13th month, and JavaScript takes February 30 for
 * March 2. `undefined`: no such time, or the database cannot store it.
 */
export function parseTime(text: string): Date | undefined {
  const time = new Date(text)
  const day = text.slice(0, 'YYYY-MM-DD'.length)
  return isStorable(time) && new Date(day).toISOString().startsWith(day) ? time : undefined
}

export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (!time) throw new Failure('validation_failed', { errors: { [field]: [NOT_STORABLE] } })
  return time
}
