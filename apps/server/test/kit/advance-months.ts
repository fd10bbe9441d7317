import { sql } from 'kysely'
import type { TestService } from '../../src/testing/start-service.ts'

/** To the third day of a later month of UTC: the month before it is then closed. Steps of 31 days can skip a month. */
export async function advanceMonths(
  { db, advance }: Pick<TestService, 'db' | 'advance'>,
  months: number,
): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from date_trunc('month', now) + make_interval(months => ${months}::int, days => 2) - now))::int
             as seconds
      from (select clock_now() at time zone 'UTC' as now) c`.execute(db)
  await advance(rows[0]!.seconds)
}
