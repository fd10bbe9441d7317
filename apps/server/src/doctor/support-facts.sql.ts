import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/** What PostgreSQL knows of its tables and sessions: numbers, names of tables and states, no row and no statement. */
export async function readSupportFacts(db: Database): Promise<Record<string, unknown>> {
  const tables = await sql<Record<string, unknown>>`
    select relname as table, n_live_tup as rows, n_dead_tup as dead_rows, pg_total_relation_size(relid) as bytes,
           last_autovacuum, last_autoanalyze
      from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 100`.execute(db)
  const sessions = await sql<Record<string, unknown>>`
    select application_name, state, wait_event_type, wait_event, count(*)::int as count,
           max(extract(epoch from clock_timestamp() - xact_start))::float8 as longest_transaction_seconds
      from pg_stat_activity where datname = current_database() and application_name like 'tiwala-%'
     group by application_name, state, wait_event_type, wait_event order by count desc`.execute(db)
  const migrations = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const version = await sql<{ version: string }>`select version()`.execute(db)
  return {
    version: version.rows[0]?.version,
    migrations: migrations.rows.map(({ name }) => name),
    tables: tables.rows,
    sessions: sessions.rows,
  }
}
