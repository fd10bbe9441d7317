import { connectPostgres, type OpenDatabase } from '../../src/database/connect.ts'

const MAX_STATEMENT_MS = 10_000

/** Connects with a deadline that a statement also meets on a busy machine. A request has 1 s. */
export const connectPatiently = (databaseUrl: string): OpenDatabase =>
  connectPostgres(databaseUrl, () => {}, MAX_STATEMENT_MS)
