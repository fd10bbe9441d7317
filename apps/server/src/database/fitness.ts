// What Tiwala needs of PostgreSQL. The start refuses a server that lacks it, and
// `tiwala doctor` lists all checks.
import type pg from 'pg'
import { type ConnectionLimits, readServerFacts, type ServerFacts } from './server-facts.ts'
import { CONNECTIONS, CONNECTIONS_PER_PROCESS, MARKER } from './session.ts'
import { NEEDED_FOR_CRASHES } from './unsafe-settings.sql.ts'

const MIN_VERSION = 150_000
/** Times of tokens and keys are read by this machine, all others by the database. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000
/**
 * A pooler's sessions have the pooler's settings. In transaction mode they also lack notifications, locks and
 * prepared statements.
 */
export const POOLED =
  'the start options of the session do not arrive, so a pooler such as PgBouncer stands between: ' +
  'let DATABASE_URL lead to PostgreSQL itself, and TIWALA_POOLER_URL to the pooler'

/** `found`: what the server has. `problem`: why it cannot be used, and what to do. */
export type FitnessCheck = {
  name:
    | 'connection'
    | 'version'
    | 'settings'
    | 'encoding'
    | 'rights'
    | 'sessions'
    | 'connections'
    | 'pooler'
    | 'replica'
    | 'clock'
    | 'TLS'
  found: string
  problem?: string | undefined
  /** Such a problem is logged at the start; every other problem stops it. */
  isWarning?: boolean
}

/** What the checks compare the server with. `startingProcesses`: those that are about to connect. */
export type Demand = { hasPooler: boolean; startingProcesses: number }

/** `settings`: the settings that the session requested. The checks are in the order of their importance. */
export async function checkServer(
  client: pg.Client,
  settings: Record<string, string>,
  demand: Demand,
): Promise<FitnessCheck[]> {
  const sentAtMs = Date.now()
  const server = await readServerFacts(client)
  const receivedAtMs = Date.now()
  const { version, version_name, encoding, role, tls } = server
  return [
    {
      name: 'version',
      found: version_name,
      problem:
        version < MIN_VERSION
          ? `it is version ${version_name}, and Tiwala needs 15 or later. Check DATABASE_URL`
          : undefined,
    },
    {
      name: 'settings',
      found: `writable, fsync = ${server.fsync}, full_page_writes = ${server.full_page_writes}`,
      problem: findSettingProblem(server),
    },
    {
      name: 'encoding',
      found: encoding,
      problem:
        encoding === 'UTF8'
          ? undefined
          : `the encoding of its database is ${encoding}, and Tiwala needs UTF8: ` +
            "create one with encoding 'UTF8'",
    },
    {
      name: 'sessions',
      found: `jit = ${settings['jit']} and ${Object.keys(settings).length - 1} more settings`,
      problem: await findSessionProblem(client, settings),
    },
    { name: 'rights', found: `the role ${role} has every right`, problem: findRightsProblem(server) },
    checkConnectionLimits(server, demand),
    checkClock(server.now_ms, sentAtMs, receivedAtMs),
    { name: 'TLS', found: tls ?? 'none' },
  ]
}

function findSettingProblem(server: ServerFacts): string | undefined {
  const { is_read_only, transaction_timeout, session_replication_role, role } = server
  const inRole = (setting: string) => `alter role ${role} set ${setting}`
  if (is_read_only)
    return 'it is read-only (a standby, or default_transaction_read_only is on). Check DATABASE_URL'
  for (const name of NEEDED_FOR_CRASHES)
    if (server[name] !== 'on')
      return `${name} is ${server[name]}, so a crash would lose acknowledged writes: alter system set ${name} = on`
  if (session_replication_role !== 'origin')
    return (
      `session_replication_role is ${session_replication_role}, so its triggers do not run: ` +
      inRole('session_replication_role = origin')
    )
  if (transaction_timeout !== null && transaction_timeout !== '0')
    return (
      `transaction_timeout is ${transaction_timeout}, which ends work that may take longer: ` +
      inRole('transaction_timeout = 0')
    )
  return undefined
}

/** The start creates the tables that are missing. */
function findRightsProblem(server: ServerFacts): string | undefined {
  const { role, has_plpgsql, may_create_tables, forbidden_table } = server
  if (!has_plpgsql) return 'its database lacks the language plpgsql: create extension plpgsql'
  if (!may_create_tables)
    return `the role ${role} may not create tables: grant create on schema public to ${role}`
  if (forbidden_table !== null)
    return `the role ${role} may not use the table ${forbidden_table}: make ${role} the owner of the tables`
  return undefined
}

/** The server read its clock at some time between the request and its response. */
function checkClock(serverMs: number, sentAtMs: number, receivedAtMs: number): FitnessCheck {
  const aheadMs = serverMs > receivedAtMs ? serverMs - receivedAtMs : Math.min(0, serverMs - sentAtMs)
  const isWrong = Math.abs(aheadMs) > MAX_CLOCK_DIFFERENCE_MS
  const difference = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s`
  return {
    name: 'clock',
    found: `less than ${MAX_CLOCK_DIFFERENCE_MS / 1000} s from the clock of this machine`,
    problem: isWrong
      ? `its clock is ${difference} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine: ` +
        'synchronize both with NTP'
      : undefined,
    isWarning: true,
  }
}

/** `source`: where the session has it from, such as `configuration file`. Null: PostgreSQL does not know the setting. */
type Setting = { name: string; wanted: string; actual: string | null; source: string | null }

/** The settings of a session, as they are and as they must be. */
export async function compareSettings(
  client: pg.Client,
  settings: Record<string, string>,
): Promise<Setting[]> {
  const { rows } = await client.query<Setting>(
    `select name, wanted, coalesce(s.setting, current_setting(name, true)) as actual, s.source
       from unnest($1::text[], $2::text[]) with ordinality as w (name, wanted, n)
       left join pg_settings s using (name) order by n`,
    [Object.keys(settings), Object.values(settings)],
  )
  return rows
}

/** Every session must have the settings that it requested. */
async function findSessionProblem(
  client: pg.Client,
  settings: Record<string, string>,
): Promise<string | undefined> {
  const wrong = (await compareSettings(client, settings)).filter(({ wanted, actual }) => wanted !== actual)
  if (wrong.some(({ name }) => name === MARKER)) return POOLED
  const [first] = wrong
  return (
    first &&
    `${first.name} is ${first.actual} in our sessions and must be ${first.wanted}: ` +
      'remove it from DATABASE_URL, from a pooler or from a login trigger'
  )
}

/** What limits the connections, and how that is changed. `needed`: how many connections. */
function limitsOf(limits: ConnectionLimits, needed: number) {
  const { role, is_superuser, role_limit, database, database_limit, server_limit } = limits
  const own = [
    { owner: `the role ${role}`, limit: role_limit, change: `alter role ${role} connection limit ${needed}` },
    {
      owner: `the database ${database}`,
      limit: database_limit,
      change: `alter database ${database} connection limit ${needed}`,
    },
  ].filter(({ limit }) => !is_superuser && limit >= 0)
  return [...own, { owner: 'it', limit: server_limit, change: 'raise max_connections' }]
}

/** How many connections the service may have, together with other programs. */
export const allowedConnections = (limits: ConnectionLimits): number =>
  Math.min(...limitsOf(limits, 0).map(({ limit }) => limit))

/** For the processes of all machines that use the database now, and those that start. */
export function checkConnectionLimits(
  server: ServerFacts,
  { hasPooler, startingProcesses }: Demand,
): FitnessCheck {
  const needed = CONNECTIONS_PER_PROCESS - (hasPooler ? CONNECTIONS.requests : 0)
  const processes = server.processes + startingProcesses
  const tooLow = limitsOf(server, needed).find(({ limit }) => limit < needed)
  const allowed = allowedConnections(server)
  return {
    name: 'connections',
    found:
      `${allowed} are allowed, and each process opens ${needed}: enough for ${Math.floor(allowed / needed)}; ` +
      `${server.processes} run now, on all machines`,
    problem: tooLow
      ? `${tooLow.owner} may have ${tooLow.limit} connections and each process of Tiwala needs ${needed}: ` +
        tooLow.change
      : allowed < processes * needed
        ? `${processes} processes on all machines need ${processes * needed} connections, and ${allowed} are allowed, ` +
          'so requests will be refused under load: allow more, run fewer, or set TIWALA_POOLER_URL'
        : undefined,
    isWarning: tooLow === undefined,
  }
}
