import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type ConstructorOptions, fromPglite } from 'pg-boss'
import { leaveWhenDemoted, prepareStatements } from './connection.ts'
import { type Listening, listenOn } from './listen.ts'
import { lockFolder } from './lock.ts'

/** The database, whichever engine runs it. Statements live in the `store.ts` files; the schema in `migrations/`. */
export type Database = Kysely<unknown>

/** An open database, how the job queue (pg-boss) reaches it, and how to hear what it announces on a channel. */
export type Opened = {
  /** For requests: a statement that takes too long for them is given up. */
  db: Database
  /** For what is done beside the requests, in short statements. Neither waits for the other's connections. */
  background: Database
  /** For work that may take its time. */
  patient: Database
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
const PATIENT_MS = 2_000
const IS_UP_MS = 500
/** Longer than any statement of patient work asks PostgreSQL to take (`set_config('statement_timeout', ...)`). */
const LONGEST_MS = 90_000
/** PostgreSQL itself gives a statement up before us, if it lives: then nothing of it remains, and the connection is still good. */
const GRACE_MS = 100

/**
 * What a request looks for, it looks up by an index. A plan made while a table was nearly empty would read all of it, and be kept until
 * PostgreSQL has counted the rows again.
 */
const BY_INDEX = ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'

/** Of a process whose host has vanished, PostgreSQL notices within so many seconds, and holds no locks for it meanwhile. */
const VANISHED =
  ' -c idle_in_transaction_session_timeout=5s -c tcp_keepalives_idle=60 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'

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
    background: db,
    patient: db,
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

export function connectPostgres(connectionString: string, onIdleError: (error: Error) => void, requestMs = 1_000): Opened {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === INT8 ? parseInt8 : pg.types.getTypeParser(oid, format)),
  }
  /** `longestMs`: then a connection is taken for dead. */
  function open(max: number, statementMs: number, longestMs: number | undefined, more = ''): Database {
    const options = `-c statement_timeout=${statementMs} -c lock_timeout=${LOCK_MS}${VANISHED}${more}`
    const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: statementMs, options, types })
    // Without a listener, a restart of PostgreSQL would end this process: of an idle connection the pool tells, of one in use itself.
    pool.on('error', onIdleError)
    pool.on('connect', (client) =>
      prepareStatements(
        client.on('error', () => {}),
        longestMs,
      ),
    )
    pool.on('connect', leaveWhenDemoted)
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  }
  const db = open(20, requestMs, requestMs + GRACE_MS, BY_INDEX)
  const background = open(4, PATIENT_MS, PATIENT_MS + GRACE_MS)
  const patient = open(4, PATIENT_MS, LONGEST_MS)
  const unbounded = open(1, PATIENT_MS, undefined)
  const probe = open(1, IS_UP_MS, IS_UP_MS)
  // A small pool of its own: deliveries do not wait for requests, nor requests for deliveries.
  return {
    db,
    background,
    patient,
    unbounded,
    isUp: () => isDatabaseUp(probe),
    queue: { connectionString, max: 4, application_name: 'tiwala-queue', ...RENEWED },
    listen: (...heard) => listenOn(connectionString, ...heard),
    close: async () => void (await Promise.all([db, background, patient, unbounded, probe].map((each) => each.destroy()))),
  }
}

/** The queue's connections are made anew now and then, so that none is kept to a server that has been demoted. pg knows the option, pg-boss passes it on. */
const RENEWED = { maxLifetimeSeconds: 60 }

const isDatabaseUp = (db: Database): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
