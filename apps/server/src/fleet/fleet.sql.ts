import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from '../database/server-facts.ts'

/** After so long without a sign, a process counts as crashed. It writes three times as often. */
const GONE_AFTER_SECONDS = 30
const LISTED_DAYS = 1

type Process = Schemas['FleetProcess']
type Times = Record<'started_at' | 'seen_at', Date> &
  Record<'housekept_at' | 'housekeeping_failed_at', Date | null>
export type ProcessRow = Omit<Process, keyof Times> & Times
export type OwnProcess = Omit<ProcessRow, 'seen_at' | 'is_running'>

/** Writes that this process runs, and forgets those that crashed long ago. */
export async function writeProcess(db: Database, own: OwnProcess): Promise<void> {
  await sql`
    with forgotten as (
      delete from process where seen_at < clock_timestamp() - make_interval(days => ${LISTED_DAYS})
    )
    insert into process (process_id, version, contract, schema, node, started_at, seen_at, housekept_at,
                         housekeeping_failed_at, keys)
    values (${own.process_id}, ${own.version}, ${own.contract}, ${own.schema}, ${own.node}, ${own.started_at},
            clock_timestamp(), ${own.housekept_at}, ${own.housekeeping_failed_at}, ${JSON.stringify(own.keys)}::jsonb)
        on conflict (process_id) do update
       set seen_at = excluded.seen_at, housekept_at = excluded.housekept_at,
           housekeeping_failed_at = excluded.housekeeping_failed_at, keys = excluded.keys`.execute(db)
}

export async function deleteProcess(db: Database, processId: string): Promise<void> {
  await sql`delete from process where process_id = ${processId}`.execute(db)
}

/** The newest first. */
export async function findProcesses(db: Database): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select process_id, version, contract, schema, node, started_at, seen_at,
           seen_at > clock_timestamp() - make_interval(secs => ${GONE_AFTER_SECONDS}) as is_running,
           housekept_at, housekeeping_failed_at, keys
      from process where seen_at > clock_timestamp() - make_interval(days => ${LISTED_DAYS})
     order by started_at desc, process_id`.execute(db)
  return rows
}

type Connections = Pick<Schemas['Fleet'], 'connections'> & { limits: ConnectionLimits }

/** The connections of all machines to this database, and what limits them. */
export async function countConnections(db: Database): Promise<Connections> {
  const { rows } = await sql<Connections>`
    select (select to_json(l) from (${sql.raw(CONNECTION_LIMITS)}) l) as limits, coalesce((
             select json_agg(json_build_object('purpose', purpose, 'count', count) order by purpose) from (
               select replace(application_name, 'tiwala-', '') as purpose, count(*) from pg_stat_activity
                where datname = current_database() and application_name like 'tiwala-%' group by 1
             ) c
           ), '[]') as connections`.execute(db)
  return rows[0]!
}
