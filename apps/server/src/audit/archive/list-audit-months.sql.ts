import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'

export type StoredMonth = { name: string; events: number | null; bytes: number | null }

/** The partitions up to the present month, without an empty `past`. `events` is the estimate of the last `analyze`: a count reads them. */
export async function findStoredMonths(db: Database, most: number): Promise<StoredMonth[]> {
  const { rows } = await sql<StoredMonth>`
    select name, case when reltuples >= 0 then reltuples::bigint end as events,
           pg_total_relation_size(oid) + pg_total_relation_size(to_regclass('audit_leaf_' || name)) as bytes
      from (select c.oid, reltuples, replace(relname, 'audit_event_', '') as name
              from pg_inherits join pg_class c on c.oid = inhrelid
             where inhparent = 'audit_event'::regclass and relname ~ '_([0-9]{6}|past)$') partition
     where case when name = 'past' then exists (select from audit_event where id < 2199023255552)
                else name <= to_char(clock_now() at time zone 'UTC', 'YYYYMM') end
     order by name = 'past', name desc limit ${most}`.execute(db)
  return rows
}

export type ArchivedMonth = {
  name: string
  first_checkpoint: number
  last_checkpoint: number
  events: number | null
  archived_at: Date
}

/** Without an empty `past`. The events are those between the positions of the first and of the last checkpoint. */
export async function findArchivedMonths(db: Database, most: number): Promise<ArchivedMonth[]> {
  const { rows } = await sql<ArchivedMonth>`
    select name, first_checkpoint, last_checkpoint, archived_at,
           case when first_checkpoint > last_checkpoint then 0
                else substring(final.body from '"last_position":([0-9]{1,16})')::bigint
                     - substring(first.body from '"first_position":([0-9]{1,16})')::bigint + 1 end as events
      from audit_archive
      left join audit_checkpoint first on first.number = first_checkpoint
      left join audit_checkpoint final on final.number = last_checkpoint
     where name <> 'past' or first_checkpoint <= last_checkpoint
     order by id desc limit ${most}`.execute(db)
  return rows
}
