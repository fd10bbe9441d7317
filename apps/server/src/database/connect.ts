import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { lockFolder } from './lock.ts'

/** The database, whichever engine runs it. Statements live in the `store.ts` files; the schema in `migrations/`. */
export type Database = Kysely<unknown>

const INT8 = pg.types.builtins.INT8
const POSTGRES_LIMITS = '-c statement_timeout=2000 -c lock_timeout=250'

/** Both drivers read every type alike: `int8` as a number (ours stay below 2^53), times as `Date`, `json` parsed, the rest as text. */
const parseInt8 = (text: string) => Number(text)

export async function connectEmbedded(dataDir: string): Promise<{ db: Database; close(): Promise<void> }> {
  const folder = join(dataDir, 'database')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dataDir)
  const embedded = openEmbedded({ dataDir: folder })
  const close = async () => {
    await embedded.close()
    lock.release()
  }
  return { db: embedded.db, close }
}

export function openEmbedded(options: PGliteOptions = {}): { pglite: PGlite; db: Database; close(): Promise<void> } {
  const pglite = new PGlite({ ...options, parsers: { [INT8]: parseInt8 } })
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite }) })
  return { pglite, db, close: () => pglite.close() }
}

export function connectPostgres(connectionString: string, onIdleError: (error: Error) => void): { db: Database; close(): Promise<void> } {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === INT8 ? parseInt8 : pg.types.getTypeParser(oid, format)),
  }
  const pool = new pg.Pool({ connectionString, max: 20, connectionTimeoutMillis: 2_000, options: POSTGRES_LIMITS, types })
  // Without a listener, a restart of PostgreSQL would end this process.
  pool.on('error', onIdleError)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return { db, close: () => db.destroy() }
}

export const isDatabaseUp = (db: Database): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
