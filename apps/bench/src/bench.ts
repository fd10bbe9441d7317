import type { IdentityProvider } from './contenders/identity-provider.ts'
import type { StartTiwala } from './contenders/tiwala.ts'
import type { Plan } from './plan.ts'
import type { Postgres } from './postgres/start-postgres.ts'
import type { Fixtures } from './fixtures/create-fixtures.ts'

/** What every part of the bench is given. */
export type Bench = {
  plan: Plan
  /** Logs, scripts and keys of this run; removed at its end. */
  folder: string
  postgres: Postgres
  /** A PostgreSQL server with its default configuration, if one was named. */
  stockUrl: string | undefined
  identity: IdentityProvider
  startTiwala: StartTiwala
  fixtures: Fixtures
  /** A database of its own for a part: the accepted records and the given number of ended ones. */
  openDatabase(name: string, records: number): Promise<string>
  /** Where a database that was opened is. */
  databaseOf(name: string): string
  /** The peers' tables, as large. */
  openPeerDatabase(name: string, records: number): Promise<string>
}
