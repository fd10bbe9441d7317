import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type ConstructorOptions, fromPglite } from 'pg-boss'
import { closeWhenDemoted, prepareStatements } from './connection.ts'
import { type Listening, listenOn } from './listen.ts'
import { lockFolder } from './lock.ts'
import { connectionFor, CONNECTIONS, type Purpose, settingsOf } from './session.ts'

/** The database, whichever engine runs it. Statements live in the `store.ts` files; the schema in `migrations/`. */
export type Database = Kysely<unknown>

/** An open database, how the job queue (pg-boss) reaches it, and how to hear what it announces on a channel. */
export type OpenDatabase = {
  /** For requests: a statement that takes too long for them is given up. */
  db: Database
  /** For what is done beside the requests, in short statements. Neither waits for the other's connections. */
  background: Database
  /** For work that may take its time. */
  longRunning: Database
  /** For bringing the schema up to date: no time bounds it. */
  unbounded: Database
  /** Answers soon, whatever else is under way. */
  isUp(): Promise<boolean>
  queue: ConstructorOptions
  listen(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<Listening>
  close(): Promise<void>
}

const INT8 = pg.types.builtins.INT8
const LOCK_MS = 250
const BACKGROUND_MS = 2_000
const IS_UP_MS = 500
/** Longer than any statement timeout that a long-running operation sets (`set_config('statement_timeout', ...)`). */
const LONGEST_MS = 90_000
/** PostgreSQL itself gives a statement up before us, if it lives: then nothing of it remains, and the connection is still good. */
const GRACE_MS = 100

/** Longer than any statement of the job queue takes. */
const QUEUE_MS = 15_000
const CONNECT_AT_START_MS = 10_000
const LISTEN_MS = 2_000

/**
 * Statements find their rows by an index, and each row that they join, too. PostgreSQL would read the whole of a table that it takes for
 * nearly empty: one that is new, was analyzed while it was, or waits for autovacuum. A bitmap would combine the index that finds one row
 * with one that holds thousands.
 */
const INDEXED = { enable_seqscan: 'off', enable_bitmapscan: 'off' }
const LOOKED_UP = { ...INDEXED, enable_hashjoin: 'off', enable_mergejoin: 'off' }

/** The settings of a session that serves requests. */
export const requestSettings = (requestMs: number) => settingsOf({ statementMs: requestMs, lockMs: LOCK_MS }, LOOKED_UP)

/** Both drivers read every type alike: `int8` as a number (ours stay below 2^53), times as `Date`, `json` parsed, the rest as text. */
const parseInt8 = (text: string) => Number(text)

export async function connectEmbedded(dataDir: string): Promise<OpenDatabase> {
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

export function openEmbedded(options: PGliteOptions = {}): OpenDatabase & { pglite: PGlite } {
  const pglite = new PGlite({ ...options, parsers: { [INT8]: parseInt8 } })
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite }) })
  return {
    pglite,
    db,
    background: db,
    longRunning: db,
    unbounded: db,
    isUp: () => isDatabaseUp(db),
    queue: { backend: 'pglite', db: fromPglite(pglite) },
    // Of a database that was closed, nothing is left to take back.
    listen: async (channel, onMessage) => {
      const stop = await pglite.listen(channel, onMessage)
      return { close: async () => (pglite.closed ? undefined : stop()) }
    },
    close: () => pglite.close(),
  }
}

export function connectPostgres(databaseUrl: string, onIdleError: (error: Error) => void, requestMs = 1_000): OpenDatabase {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === INT8 ? parseInt8 : pg.types.getTypeParser(oid, format)),
  }
  /** `longestMs`: the client ends a connection whose answer takes longer. */
  function open(purpose: Purpose, settings: Record<string, string>, longestMs?: number): Database {
    const connection = connectionFor(databaseUrl, purpose, settings)
    // A start may wait longer for its connection than a request.
    const connectionTimeoutMillis = longestMs === undefined ? CONNECT_AT_START_MS : Number(settings['statement_timeout'])
    const pool = new pg.Pool({ ...connection, max: CONNECTIONS[purpose], connectionTimeoutMillis, types })
    // Without a listener, a restart of PostgreSQL would end this process: of an idle connection the pool tells, of one in use itself.
    pool.on('error', onIdleError)
    pool.on('connect', (client) =>
      prepareStatements(
        client.on('error', () => {}),
        longestMs,
      ),
    )
    pool.on('connect', closeWhenDemoted)
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  }
  const within = (statementMs: number, plans = {}) => settingsOf({ statementMs, lockMs: LOCK_MS }, plans)
  const db = open('requests', requestSettings(requestMs), requestMs + GRACE_MS)
  const background = open('background', within(BACKGROUND_MS, LOOKED_UP), BACKGROUND_MS + GRACE_MS)
  // It joins long lists that it was given, as an import does.
  const longRunning = open('longRunning', within(BACKGROUND_MS, INDEXED), LONGEST_MS)
  const unbounded = open('migrations', within(BACKGROUND_MS))
  const probe = open('probe', within(IS_UP_MS), IS_UP_MS)
  const queue = connectionFor(databaseUrl, 'queue', settingsOf({ statementMs: QUEUE_MS, lockMs: 0 }))
  const listen = connectionFor(databaseUrl, 'listen', settingsOf({ statementMs: LISTEN_MS, lockMs: 0 }))
  return {
    db,
    background,
    longRunning,
    unbounded,
    isUp: () => isDatabaseUp(probe),
    queue: { ...queue, max: CONNECTIONS.queue, ...RENEWED },
    listen: (...heard) => listenOn(listen, ...heard),
    close: async () => void (await Promise.all([db, background, longRunning, unbounded, probe].map((each) => each.destroy()))),
  }
}

/** The queue's connections are made anew now and then, so that none is kept to a server that has been demoted. pg knows the option, pg-boss passes it on. */
const RENEWED = { maxLifetimeSeconds: 60 }

const isDatabaseUp = (db: Database): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
