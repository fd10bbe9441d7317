import { type RawBuilder, sql } from 'kysely'
import { timeText } from '../secrets/tokens.ts'

const DAY_SECONDS = 86_400

/**
 * A condition on the column of a tracking number that leaves all partitions out but one, when PostgreSQL plans the
 * statement: that all these numbers are of today, or all of yesterday. At midnight they are of both, and of tomorrow if the
 * clock of the database is ahead. True for others. The text of a statement then has the
 * day, so it changes once a day, and no caller can make many texts.
 *
 * A condition with parameters would leave partitions out at each execution. PostgreSQL 18 then loses rows that have
 * changed while the statement waited for their lock.
 */
export function isOnRecentDay(
  column: string,
  trackingNos: readonly string[],
  nowMs = Date.now(),
): RawBuilder<unknown> {
  const today = Math.floor(nowMs / 1_000 / DAY_SECONDS) * DAY_SECONDS
  const [yesterday, tomorrow] = [today - DAY_SECONDS, today + DAY_SECONDS]
  for (const [from, until] of [
    [today, tomorrow],
    [yesterday, today],
    [yesterday, tomorrow + DAY_SECONDS],
  ] as const) {
    const [low, above] = [timeText(from), timeText(until)]
    if (trackingNos.every((number) => number >= low && number < above))
      return sql`${sql.ref(column)} >= ${sql.lit(low)} and ${sql.ref(column)} < ${sql.lit(above)}`
  }
  return sql`true`
}

/** That the column is this tracking number. Each statement about one record says it so, and plans one partition. */
export const isTrackingNo = (column: string, trackingNo: string): RawBuilder<unknown> =>
  sql`${sql.ref(column)} = ${trackingNo} and ${isOnRecentDay(column, [trackingNo])}`
