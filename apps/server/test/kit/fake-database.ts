import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'

/** A database that returns what `answer` says for each statement. */
export function fakeDatabase(answer: (query: CompiledQuery) => Promise<object[]>): Kysely<unknown> {
  const executeQuery = async (query: CompiledQuery) => ({ rows: (await answer(query)) as never })
  class Driver extends DummyDriver {
    override acquireConnection = async () => ({ executeQuery, streamQuery: () => undefined as never })
  }
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** The same for housekeeping, whose deletions first ask for the time. `aheadMs`: of the clock of this process. */
export const withClock = (answer: Parameters<typeof fakeDatabase>[0], aheadMs = 0) =>
  fakeDatabase(async (query) =>
    query.sql === 'select clock_timestamp() as now'
      ? [{ now: new Date(Date.now() + aheadMs) }]
      : answer(query),
  )
