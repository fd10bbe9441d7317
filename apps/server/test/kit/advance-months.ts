import { sql } from 'kysely'
import type { TestService } from '../../src/testing/start-service.ts'

/** To a later month of UTC. Steps of 31 days can skip February. */
export async function advanceMonths(
  { db, advance }: Pick<TestService, 'db' | 'advance'>,
  months: number,
): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from now + make_interval(months => ${months}::int) - now))::int as seconds
      from (select clock_now() at time zone 'UTC' as now) c`.execute(db)
  await advance(rows[0]!.seconds)
}
