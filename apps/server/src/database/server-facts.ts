// What PostgreSQL says about itself, the role and the database, in one row.
import type pg from 'pg'

/** Who may have how many connections. The limits of a role and of a database are -1 if there are none. */
export type ConnectionLimits = {
  role: string
  is_superuser: boolean
  role_limit: number
  database: string
  database_limit: number
  server_limit: number
}

export type ServerFacts = ConnectionLimits & {
  version: number
  version_name: string
  encoding: string
  is_read_only: boolean
  transaction_timeout: string | null
  fsync: string
  full_page_writes: string
  session_replication_role: string
  /** The processes of Tiwala that use the database. Each of them has one connection that listens. */
  processes: number
  has_plpgsql: boolean
  may_create_tables: boolean
  forbidden_table: string | null
  tls: string | null
  now_ms: number
}

/**
 * `reserved_connections` exists since PostgreSQL 16. The connection limits of a role and of a database and the reserved
 * connections do not apply to a superuser.
 */
const LIMITS = `
         quote_ident(r.rolname) as role, r.rolsuper as is_superuser, r.rolconnlimit as role_limit,
         quote_ident(d.datname) as database, d.datconnlimit as database_limit,
         current_setting('max_connections')::int
           - case when r.rolsuper then 0
                  else current_setting('superuser_reserved_connections')::int
                       + coalesce(current_setting('reserved_connections', true), '0')::int
             end as server_limit`
const OF_SESSION = `
    from pg_roles r, pg_database d where r.rolname = session_user and d.datname = current_database()`
/** One row with `ConnectionLimits`. */
export const CONNECTION_LIMITS = `select ${LIMITS} ${OF_SESSION}`

/** `transaction_timeout` exists since PostgreSQL 17. */
const SERVER = `
  select current_setting('server_version_num')::int as version,
         current_setting('server_version') as version_name,
         current_setting('server_encoding') as encoding,
         current_setting('transaction_read_only')::boolean as is_read_only,
         current_setting('transaction_timeout', true) as transaction_timeout,
         current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
         current_setting('session_replication_role') as session_replication_role,
         ${LIMITS},
         (select count(distinct pid)::int from pg_stat_activity
           where datname = current_database() and application_name = 'tiwala-listen') as processes,
         exists (select from pg_language where lanname = 'plpgsql') as has_plpgsql,
         exists (select from pg_tables where schemaname = 'public' and tablename = 'kysely_migration')
           or has_schema_privilege('public', 'create') as may_create_tables,
         (select min(format('%I.%I', n.nspname, t.relname))
            from pg_class t join pg_namespace n on n.oid = t.relnamespace
           where n.nspname = 'public' and t.relkind in ('r', 'p')
             and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(t.oid, 'select')
                      and has_table_privilege(t.oid, 'insert'))) as forbidden_table,
         (select version from pg_stat_ssl where pid = pg_backend_pid()) as tls,
         extract(epoch from clock_timestamp())::float8 * 1000 as now_ms ${OF_SESSION}`

export async function readServerFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(SERVER)
  return rows[0]!
}
