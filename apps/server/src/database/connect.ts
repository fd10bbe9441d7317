import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { connections, statementSeconds } from '../metrics/registry.ts'
import { prepareStatements, watchErrors } from './connection.ts'
import { type Listening, listenOn } from './listen.ts'
import {
  connectionFor,
  CONNECTIONS,
  connectionThrough,
  type Purpose,
  REPLICA_CONNECTIONS,
  settingsOf,
} from './session.ts'

/**
 * The database, in either engine. The statements are in the `*.sql.ts` files, the schema in `migrations/`.
 */
export type Database = Kysely<unknown>

/** An open database, and a way to listen on a channel. */
export type OpenDatabase = {
  /** For requests. A statement that exceeds the deadline of a request is cancelled. */
  db: Database
  /**
   * For background work in short statements. It has its own connections, so that it and the requests do not
   * wait for each other.
   */
  background: Database
  /** For long-running operations. */
  longRunning: Database
  /** For migrations, without a timeout. */
  unbounded: Database
  /** A standby for lists and the audit, if there is one. It is some time behind. */
  replica?: Database | undefined
  /** Resolves soon, also under load. */
  isUp(): Promise<boolean>
  /** Reconnects by itself (`listenOn`). */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onGap: () => void,
    onFailure: (error: unknown) => void,
  ): Promise<Listening>
  close(): Promise<void>
}

export const INT8 = pg.types.builtins.INT8
/** The type `int8[]`. The list of the driver has no arrays. */
const INT8_ARRAY = 1016
const LOCK_MS = 250
/** A request that waits for a lock for longer than this share of its time responds that it is busy. */
const LOCK_SHARE = 1 / 4
const BACKGROUND_MS = 2_000
const IS_UP_MS = 500
/**
 * Longer than any statement timeout that a long-running operation sets (`set_config('statement_timeout',
 * ...)`).
 */
const LONG_RUNNING_MS = 90_000
/**
 * The client waits so much longer than `statement_timeout`, so that a live PostgreSQL cancels the statement
 * first: then it is rolled back, and the connection stays usable.
 */
const GRACE_MS = 100

const CONNECT_AT_START_MS = 10_000
const LISTEN_MS = 2_000
/** Some statements name their day, and PostgreSQL keeps each prepared statement until its connection ends. */
const DAY_SECONDS = 86_400

/**
 * Statements find rows by an index, also the rows that they join. Without these settings PostgreSQL reads a
 * whole table if it takes the table for nearly empty: a new table, one that was analyzed when it was empty,
 * or one that waits for autovacuum. A bitmap scan would combine an index that finds one row with an index
 * that finds thousands.
 */
const INDEXED = { enable_seqscan: 'off', enable_bitmapscan: 'off' }
const INDEXED_JOINS = { ...INDEXED, enable_hashjoin: 'off', enable_mergejoin: 'off' }

/**
 * A statement of a migration may hold the locks of tables for minutes. Without this setting, PostgreSQL would notice only after
 * the statement that its process was killed, and the next start would wait for it. No start option, because PostgreSQL refuses
 * it where the operating system cannot report closed connections (Windows).
 */
const NOTICE_KILLED_PROCESS = `do $$ begin
  perform set_config('client_connection_check_interval', '2s', false);
exception when others then null;
end $$`

/** The settings of a session that serves requests. */
export const requestSettings = (requestMs: number) =>
  settingsOf({ statementMs: requestMs, lockMs: Math.ceil(requestMs * LOCK_SHARE) }, INDEXED_JOINS)

/**
 * Both drivers read each type in the same way: `int8` as a number (all are below 2^53), also in arrays, times
 * as `Date`, `json` parsed, the rest as text.
 */
export const parseInt8 = (text: string) => Number(text)
const parseTexts = pg.types.getTypeParser(INT8_ARRAY as never) as (text: string) => string[]
const PARSERS: Record<number, (text: string) => unknown> = {
  [INT8]: parseInt8,
  [INT8_ARRAY]: (text) => parseTexts(text).map(parseInt8),
}

/** `canPrepare`: each connection to the pooler may use prepared statements. */
export type Pooler = { url: string; canPrepare: boolean }

/** The other servers, beside the database itself. */
export type OtherServers = { pooler?: Pooler | undefined; replicaUrl?: string | undefined }

/** The connections for requests go through the pooler, if there is one, all others directly to the database. */
export function connectPostgres(
  databaseUrl: string,
  onIdleError: (error: Error) => void,
  requestMs = 1_000,
  { pooler, replicaUrl }: OtherServers = {},
): OpenDatabase {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => PARSERS[oid] ?? pg.types.getTypeParser(oid, format),
  }
  const pools: Partial<Record<Purpose, pg.Pool>> = {}
  const disk = createDiskState()
  connections.readWith(() =>
    Object.fromEntries(Object.entries(pools).map(([purpose, pool]) => [purpose, statesOf(pool)])),
  )
  /** `timeoutMs`: the client closes a connection whose response takes longer. */
  function open(purpose: Purpose, settings: Record<string, string>, timeoutMs?: number): Database {
    const through = purpose === 'requests' ? pooler : undefined
    const connection = through
      ? connectionThrough(through.url, purpose)
      : connectionFor(purpose === 'replica' ? replicaUrl! : databaseUrl, purpose, settings)
    // The migrations may wait longer for a connection than a request.
    const connectionTimeoutMillis =
      timeoutMs === undefined ? CONNECT_AT_START_MS : Number(settings['statement_timeout'])
    const max = purpose === 'replica' ? REPLICA_CONNECTIONS : CONNECTIONS[purpose]
    const pool = new pg.Pool({
      ...connection,
      max,
      connectionTimeoutMillis,
      types,
      maxLifetimeSeconds: DAY_SECONDS,
      ...(purpose === 'migrations' && { onConnect: (client) => client.query(NOTICE_KILLED_PROCESS) }),
    })
    // Without these listeners a restart of PostgreSQL would end this process. The pool emits the errors of
    // idle connections, a client those of its connection in use.
    pool.on('error', onIdleError)
    const seconds = statementSeconds.labels({ pool: purpose })
    pool.on('connect', (client) =>
      prepareStatements(
        client.on('error', () => {}),
        { timeoutMs, canPrepare: through?.canPrepare ?? true },
        (ms) => seconds.observe(ms / 1_000),
      ),
    )
    pool.on('connect', (client) => watchErrors(client, disk.onFull))
    pools[purpose] = pool
    return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  }
  const within = (statementMs: number, plans = {}) => settingsOf({ statementMs, lockMs: LOCK_MS }, plans)
  const db = open('requests', requestSettings(requestMs), requestMs + GRACE_MS)
  const background = open('background', within(BACKGROUND_MS, INDEXED_JOINS), BACKGROUND_MS + GRACE_MS)
  // An import joins long lists, so hash and merge joins stay on.
  const longRunning = open('longRunning', within(BACKGROUND_MS, INDEXED), LONG_RUNNING_MS)
  const unbounded = open('migrations', within(BACKGROUND_MS))
  const replica = replicaUrl
    ? open('replica', within(BACKGROUND_MS, INDEXED_JOINS), BACKGROUND_MS + GRACE_MS)
    : undefined
  const probe = open('probe', within(IS_UP_MS), IS_UP_MS)
  const listen = connectionFor(databaseUrl, 'listen', settingsOf({ statementMs: LISTEN_MS, lockMs: 0 }))
  return {
    db,
    background,
    longRunning,
    unbounded,
    replica,
    isUp: async () => !disk.isFull() && (await isDatabaseUp(probe)),
    listen: (...listener) => listenOn(listen, ...listener),
    close: async () =>
      void (await Promise.all(
        [db, background, longRunning, unbounded, probe, ...(replica ? [replica] : [])].map((each) =>
          each.destroy(),
        ),
      )),
  }
}

const statesOf = ({ totalCount, idleCount, waitingCount }: pg.Pool) => ({
  in_use: totalCount - idleCount,
  idle: idleCount,
  // The pool queues a request for a moment even if it has an idle connection for it.
  waiting: Math.max(0, waitingCount - idleCount),
})

/** A disk that was full counts as full for so long: the background work of the process writes more often. */
const FULL_MS = 10_000

/** A read succeeds on a full disk, so a failed write makes the process not ready for a while. */
export function createDiskState() {
  let untilMs = 0
  return {
    onFull: () => void (untilMs = performance.now() + FULL_MS),
    isFull: () => performance.now() < untilMs,
  }
}

export const isDatabaseUp = (db: Database): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
