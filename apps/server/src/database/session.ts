// The settings of every PostgreSQL session of Tiwala. They override those of the server, the database and the
// role (ALTER SYSTEM, DATABASE, ROLE).

/**
 * The connections of one process, by purpose. A PostgreSQL with default settings (100 connections, of which
 * it reserves 3) serves three processes.
 */
export const CONNECTIONS = {
  requests: 20,
  background: 4,
  longRunning: 3,
  migrations: 1,
  probe: 1,
  listen: 1,
}
/** To the standby of `TIWALA_REPLICA_URL`. */
export const REPLICA_CONNECTIONS = 3
export type Purpose = keyof typeof CONNECTIONS | 'replica'
/** Those of `requests` may go through a pooler. */
export const CONNECTIONS_PER_PROCESS = Object.values(CONNECTIONS).reduce((sum, count) => sum + count, 0)

/** A session has this setting only if PostgreSQL received the start options, or the pooler sent `connectQuery`. */
export const MARKER = 'tiwala.session'

/** The settings of every session, each as `pg_settings` shows it. The start-up check reads them back. */
const COMMON: Record<string, string> = {
  [MARKER]: 'on',

  // Speed. Compiling a plan takes longer than any statement of Tiwala (91 ms for a table of one row).
  jit: 'off',
  // Statements are short, and many run at once: a worker process for each costs more than it saves.
  max_parallel_workers_per_gather: '0',
  // A plan is made once for each connection. By its estimate of costs PostgreSQL would plan a statement over daily
  // partitions again each time it runs, which takes longer than the statement: the estimate counts all partitions, although
  // the statement opens one.
  plan_cache_mode: 'force_generic_plan',
  // A page of a list is a range of the index that has all its columns (`rangeOf`). PostgreSQL could take an index that
  // has the first of them, read all its rows, and sort.
  enable_incremental_sort: 'off',
  // If these were off, PostgreSQL could not use the plans that the indexes are made for.
  enable_hashagg: 'on',
  enable_indexonlyscan: 'on',
  enable_indexscan: 'on',
  enable_material: 'on',
  enable_memoize: 'on',
  enable_nestloop: 'on',
  enable_sort: 'on',

  // Correctness. The statements are written for this level: they lock the rows that they decide on, or read them after an
  // advisory lock. At stricter levels they would fail with 40001, or read what was there before the lock.
  default_transaction_isolation: 'read committed',
  // A write is acknowledged only when it survives a crash, also of the primary if PostgreSQL has a synchronous
  // standby. Set here, because a later change of the role or of the server would not be noticed.
  synchronous_commit: 'on',
  // The schema in which every statement looks. With another path the server would create an empty schema
  // beside the used one.
  search_path: 'public',
  // How text is read and written.
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  client_encoding: 'UTF8',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',

  // Privacy. Parameters contain data of partners and citizens; PostgreSQL must not log them with an error.
  log_parameter_max_length_on_error: '0',

  // An idle connection stays open. A transaction that hangs is ended, since its process has died or is
  // frozen.
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '5000',
}

/**
 * How soon PostgreSQL notices that this host is gone. Not read back, because over a Unix socket they are
 * always 0.
 */
const KEEPALIVE = { tcp_keepalives_idle: '60', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' }

/** The limits that differ between purposes. 0: no limit. */
export type Limits = { statementMs: number; lockMs: number }

/** All settings of a session that the start-up check reads back. */
export const settingsOf = (
  { statementMs, lockMs }: Limits,
  more: Record<string, string> = {},
): Record<string, string> => ({
  ...COMMON,
  statement_timeout: String(statementMs),
  lock_timeout: String(lockMs),
  ...more,
})

const toOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`)
    .join(' ')

/** What PgBouncer sends on each of its connections to PostgreSQL (`connect_query`): at most some 500 bytes. */
export const connectQuery = (settings: { name: string; wanted: string }[]): string =>
  settings.map(({ name, wanted }) => `set ${name}=${/^\w+$/.test(wanted) ? wanted : `'${wanted}'`}`).join(';')

/** A pooler refuses the start options of a session. */
export const connectionThrough = (poolerUrl: string, purpose: Purpose) => ({
  connectionString: poolerUrl,
  application_name: `tiwala-${purpose}`,
})

/**
 * The driver's connection options for a purpose. `options` in the URL are kept, but the settings of Tiwala
 * override them.
 */
export function connectionFor(databaseUrl: string, purpose: Purpose, settings: Record<string, string>) {
  const url = new URL(databaseUrl)
  const urlOptions = url.searchParams.get('options')
  url.searchParams.delete('options')
  const options = toOptions({ ...settings, ...KEEPALIVE })
  return {
    connectionString: urlOptions === null ? databaseUrl : url.href,
    application_name: `tiwala-${purpose}`,
    options: urlOptions === null ? options : `${urlOptions} ${options}`,
  }
}
