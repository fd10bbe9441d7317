import type pg from 'pg'
import { CONNECTIONS_PER_PROCESS, MARKER } from './session.ts'

const MIN_VERSION = 150_000
/**
 * A pooler's sessions have the pooler's settings. In transaction mode they also lack notifications, locks and
 * prepared statements.
 */
export const POOLED =
  'the start options of the session do not arrive, so a pooler such as PgBouncer stands between: ' +
  'let DATABASE_URL lead to PostgreSQL itself'

type Server = {
  version: number
  version_name: string
  encoding: string
  is_read_only: boolean
  transaction_timeout: string | null
  synchronous_commit: string
  session_replication_role: string
  role: string
  is_superuser: boolean
  role_limit: number
  database: string
  database_limit: number
  server_limit: number
}

/**
 * `reserved_connections` exists since PostgreSQL 16, `transaction_timeout` since 17. The connection limits of
 * a role and of a database and the reserved connections do not apply to a superuser.
 */
const SERVER = `
  select current_setting('server_version_num')::int as version,
         current_setting('server_version') as version_name,
         current_setting('server_encoding') as encoding,
         current_setting('transaction_read_only')::boolean as is_read_only,
         current_setting('transaction_timeout', true) as transaction_timeout,
         current_setting('synchronous_commit') as synchronous_commit,
         current_setting('session_replication_role') as session_replication_role,
         quote_ident(r.rolname) as role, r.rolsuper as is_superuser, r.rolconnlimit as role_limit,
         quote_ident(d.datname) as database, d.datconnlimit as database_limit,
         current_setting('max_connections')::int
           - case when r.rolsuper then 0
                  else current_setting('superuser_reserved_connections')::int
                       + coalesce(current_setting('reserved_connections', true), '0')::int
             end as server_limit
    from pg_roles r, pg_database d where r.rolname = session_user and d.datname = current_database()`

/**
 * Why Tiwala cannot use this server, and what to do about it; `undefined` if it can. `settings`: the settings
 * that the session requested.
 */
export async function findServerProblem(
  client: pg.Client,
  settings: Record<string, string>,
  processes: number,
): Promise<string | undefined> {
  const { rows } = await client.query<Server>(SERVER)
  const server = rows[0]!
  return (
    findVersionOrSettingProblem(server) ??
    (await findSessionProblem(client, settings)) ??
    findConnectionLimitProblem(server, processes)
  )
}

function findVersionOrSettingProblem(server: Server): string | undefined {
  const {
    version,
    version_name,
    encoding,
    is_read_only,
    transaction_timeout,
    synchronous_commit,
    session_replication_role,
    role,
  } = server
  const inRole = (setting: string) => `alter role ${role} set ${setting}`
  if (version < MIN_VERSION)
    return `it is version ${version_name}, and Tiwala needs 15 or later. Check DATABASE_URL`
  if (is_read_only)
    return 'it is read-only (a standby, or default_transaction_read_only is on). Check DATABASE_URL'
  if (encoding !== 'UTF8')
    return (
      `the encoding of its database is ${encoding}, and Tiwala needs UTF8: ` +
      "create one with encoding 'UTF8'"
    )
  if (synchronous_commit === 'off')
    return (
      'synchronous_commit is off, so a crash would lose committed data: ' + inRole('synchronous_commit = on')
    )
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

/** Every session must have the settings that it requested. */
async function findSessionProblem(
  client: pg.Client,
  settings: Record<string, string>,
): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string; wanted: string; actual: string | null }>(
    `select name, wanted, coalesce(s.setting, current_setting(name, true)) as actual
       from unnest($1::text[], $2::text[]) as w (name, wanted) left join pg_settings s using (name)`,
    [Object.keys(settings), Object.values(settings)],
  )
  const wrong = rows.filter(({ wanted, actual }) => wanted !== actual)
  if (wrong.some(({ name }) => name === MARKER)) return POOLED
  const [first] = wrong
  return (
    first &&
    `${first.name} is ${first.actual} in our sessions and must be ${first.wanted}: ` +
      'remove it from DATABASE_URL, from a pooler or from a login trigger'
  )
}

/** During a restart one process more than usual is running. */
function findConnectionLimitProblem(
  { role, is_superuser, role_limit, database, database_limit, server_limit }: Server,
  processes: number,
) {
  const atOnce = processes > 1 ? processes + 1 : 1
  const needed = atOnce * CONNECTIONS_PER_PROCESS
  const forEach = `each of ${atOnce} process${atOnce > 1 ? 'es (one more during a restart)' : ''}`
  const because = `Tiwala needs ${needed}, ${CONNECTIONS_PER_PROCESS} for ${forEach}`
  const isTooLow = (limit: number) => !is_superuser && limit >= 0 && limit < needed
  if (isTooLow(role_limit))
    return (
      `the role ${role} may have ${role_limit} connections and ${because}: ` +
      `alter role ${role} connection limit ${needed}`
    )
  if (isTooLow(database_limit))
    return (
      `the database ${database} may have ${database_limit} connections and ${because}: ` +
      `alter database ${database} connection limit ${needed}`
    )
  if (server_limit < needed)
    return `it allows ${server_limit} connections and ${because}: raise max_connections`
  return undefined
}
