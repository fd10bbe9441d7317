import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type ConstructorOptions, fromPglite } from 'pg-boss'
import { type Listening, listenOn } from './listen.ts'
import { lockFolder } from './lock.ts'

/** The database, whichever engine runs it. Statements live in the `store.ts` files; the schema in `migrations/`. */
export type Database = Kysely<unknown>

/** An open database, how the job queue (pg-boss) reaches it, and how to hear what it announces on a channel. */
export type Opened = {
  db: Database
  queue: ConstructorOptions
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<Listening>
  close(): Promise<void>
}

const INT8 = pg.types.builtins.INT8
const POSTGRES_LIMITS = '-c statement_timeout=2000 -c lock_timeout=250'

/** Both drivers read every type alike: `int8` as a number (ours stay below 2^53), times as `Date`, `json` parsed, the rest as text. */
const parseInt8 = (text: string) => Number(text)

export async function connectEmbedded(dataDir: string): Promise<Opened> {
  const folder = join(dataDir, 'database')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(dataDir)
  const embedded = openEmbedded({ dataDir: folder })
  const close = async () => {
    await embedded.close()
    lock.release()
  }
  return { ...embedded, close }
}

export function openEmbedded(options: PGliteOptions = {}): Opened & { pglite: PGlite } {
  const pglite = new PGlite({ ...options, parsers: { [INT8]: parseInt8 } })
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite }) })
  return {
    pglite,
    db,
    queue: { backend: 'pglite', db: fromPglite(pglite) },
    // Of a database that was closed, nothing is left to take back.
    listen: async (channel, onMessage) => {
      const stop = await pglite.listen(channel, onMessage)
      return { close: async () => (pglite.closed ? undefined : stop()) }
    },
    close: () => pglite.close(),
  }
}

export function connectPostgres(connectionString: string, onIdleError: (error: Error) => void): Opened {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === INT8 ? parseInt8 : pg.types.getTypeParser(oid, format)),
  }
  const pool = new pg.Pool({ connectionString, max: 20, connectionTimeoutMillis: 2_000, options: POSTGRES_LIMITS, types })
  // Without a listener, a restart of PostgreSQL would end this process: of an idle connection the pool tells, of one in use itself.
  pool.on('error', onIdleError)
  pool.on('connect', (client) => prepareStatements(client.on('error', () => {})))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  // A small pool of its own: deliveries do not wait for requests, nor requests for deliveries.
  return {
    db,
    queue: { connectionString, max: 4, application_name: 'tiwala-queue' },
    listen: (...heard) => listenOn(connectionString, ...heard),
    close: () => db.destroy(),
  }
}

const names = new Map<string, string>()

/** Every text of ours is written in the program, so there are few: each is parsed and planned once for a connection, not once for a request. */
function prepareStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (statement: pg.QueryConfig) => Promise<pg.QueryResult>
  const prepared = (text: string, values: unknown[]) => {
    if (values.length === 0) return query({ text })
    let name = names.get(text)
    if (name === undefined) names.set(text, (name = `tiwala_${names.size}`))
    return query({ name, text, values })
  }
  Object.assign(client, { query: prepared })
}

export const isDatabaseUp = (db: Database): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
