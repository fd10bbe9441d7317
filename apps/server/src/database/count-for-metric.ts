import { type RawBuilder, sql } from 'kysely'
import type { Database } from './connect.ts'

/** Where counting stops. */
const MAX_COUNTED = 100_000

/** The number of rows of a query, for a metric. */
export async function countForMetric(db: Database, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${query} limit ${MAX_COUNTED}) r`.execute(db)
  return rows[0]!.count
}
