// The settings of every session of ours in PostgreSQL. They override what a server, a database or a role sets (ALTER SYSTEM, DATABASE, ROLE).

/**
 * The connections of one process, by what they are for. A PostgreSQL as it is installed (100, of which it reserves 3) serves two processes
 * and the third one that a restart adds for a while.
 */
export const CONNECTIONS = { requests: 20, background: 3, longRunning: 3, migrations: 1, probe: 1, queue: 3, listen: 1 }
export type Purpose = keyof typeof CONNECTIONS
export const CONNECTIONS_PER_PROCESS = Object.values(CONNECTIONS).reduce((sum, count) => sum + count, 0)

/** Present in a session only if PostgreSQL received our start options; a pooler may drop them. */
export const MARKER = 'tiwala.session'

/** The settings of every session, each as `pg_settings` shows it. The start-up check reads them back. */
const COMMON: Record<string, string> = {
  [MARKER]: 'on',

  // Speed. Compiling a plan takes longer than any statement of ours runs (91 ms for a table of one row).
  jit: 'off',
  // Statements are short, and many run at once: a worker process for each costs more than it saves.
  max_parallel_workers_per_gather: '0',
  // A plan is made once for each connection. Otherwise PostgreSQL may plan a statement again each time it runs.
  plan_cache_mode: 'auto',
  // Switched off, these leave PostgreSQL without the plans that our indexes are made for.
  enable_hashagg: 'on',
  enable_indexonlyscan: 'on',
  enable_indexscan: 'on',
  enable_material: 'on',
  enable_memoize: 'on',
  enable_nestloop: 'on',
  enable_sort: 'on',

  // Correctness. The statements are written for this level: they lock what they decide on. Stricter levels end them with 40001.
  default_transaction_isolation: 'read committed',
  // The schema, where each statement looks for it. With another path the server would make an empty schema beside the one in use.
  search_path: 'public',
  // How text is read and written.
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  client_encoding: 'UTF8',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',

  // Privacy. Parameters hold what partners and citizens sent; PostgreSQL must not log them beside an error.
  log_parameter_max_length_on_error: '0',

  // Connections are kept while they are idle, and given up where a transaction hangs: its process has vanished or stands still.
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '5000',
}

/** How soon PostgreSQL notices that our host has vanished. Not read back: over a Unix socket they are always 0. */
const KEEPALIVE = { tcp_keepalives_idle: '60', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' }

/** What differs between the purposes. 0: no limit. */
export type Limits = { statementMs: number; lockMs: number }

/** All that is set for a session and read back. */
export const settingsOf = ({ statementMs, lockMs }: Limits, more: Record<string, string> = {}): Record<string, string> => ({
  ...COMMON,
  statement_timeout: String(statementMs),
  lock_timeout: String(lockMs),
  ...more,
})

const toOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`)
    .join(' ')

/** How the driver connects for a purpose. `options` in the URL are kept; where they name a setting of ours, ours counts. */
export function connectionFor(databaseUrl: string, purpose: Purpose, settings: Record<string, string>) {
  const url = new URL(databaseUrl)
  const given = url.searchParams.get('options')
  url.searchParams.delete('options')
  const ours = toOptions({ ...settings, ...KEEPALIVE })
  return {
    connectionString: given === null ? databaseUrl : url.href,
    application_name: `tiwala-${purpose}`,
    options: given === null ? ours : `${given} ${ours}`,
  }
}
