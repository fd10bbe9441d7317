import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** Moves the one clock, for the sandbox and the tests: every lifetime can be seen without waiting. */
export async function advanceClock(db: Database, seconds: number): Promise<void> {
  await sql`update clock set advance = advance + make_interval(secs => ${seconds})`.execute(db)
}
