import type { IdentityProvider } from './contenders/identity-provider.ts'
import type { StartTiwala } from './contenders/tiwala.ts'
import type { Fixtures } from './fixtures/create-fixtures.ts'
import type { Plan } from './plan.ts'
import type { Postgres } from './postgres/start-postgres.ts'

/** The plan, the servers and the fixtures that all benchmarks share. */
export type Bench = {
  plan: Plan
  /** Logs, scripts and keys of this run; `close` removes it. */
  folder: string
  postgres: Postgres
  /** The PostgreSQL server of `TEST_DATABASE_URL`, if it is set. */
  stockUrl: string | undefined
  identityProvider: IdentityProvider
  startTiwala: StartTiwala
  fixtures: Fixtures
  /** Creates a database with accepted records, and ended ones up to `records` in total. Returns its URL. */
  openDatabase(name: string, records: number): Promise<string>
  /** The URL of a database that `openDatabase` has created. */
  databaseUrlOf(name: string): string
  /** Creates a database with the tables of the peers and the same number of records. Returns its URL. */
  openPeerDatabase(name: string, records: number): Promise<string>
}
