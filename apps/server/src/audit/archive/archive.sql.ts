import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { SignedCheckpoint } from '../checkpoints/checkpoint.ts'
import { SEALABLE_COLUMNS } from '../leaf.sql.ts'
import type { EventRow } from '../list-audit-events/list-audit-events.sql.ts'
import type { ArchivedDisclosure } from './archive-files.ts'

/** A part of the audit whose events are in the archive: those that these checkpoints seal. */
export type Archive = {
  name: string
  first_checkpoint: number
  last_checkpoint: number
  /** Of the index of the histories. Null: an earlier archive, whose index has no hashes. */
  history_hash: string | null
}

/** The key of the advisory lock. Nothing else uses this number. */
export const ARCHIVING_LOCK_KEY = 7_410_203

/**
 * Locks until the connection ends, without a transaction: one that is open for hours would stop the sealing. Statements on
 * this connection have no timeout, since some read all events of a month.
 */
export async function lockArchiving(connection: Database): Promise<boolean> {
  const { rows } = await sql<{ is_alone: boolean }>`
    select pg_try_advisory_lock(${sql.lit(ARCHIVING_LOCK_KEY)}) as is_alone,
           set_config('statement_timeout', '0', false)`.execute(connection)
  return rows[0]!.is_alone
}

/** Newest first. */
export async function findArchives(db: Database): Promise<Archive[]> {
  const { rows } = await sql<Archive>`
    select name, first_checkpoint, last_checkpoint, history_hash from audit_archive order by id desc`.execute(
    db,
  )
  return rows
}

/** Where the events are that a checkpoint seals. `undefined`: in the database. */
export const archiveOf = (archives: Archive[], checkpoint: number): Archive | undefined =>
  archives.find((each) => each.first_checkpoint <= checkpoint && checkpoint <= each.last_checkpoint)

type ClosedMonth = {
  name: string
  /** As 202611. Null: the partition of the past has no event. */
  month: string | null
}

/**
 * The partitions whose month ended more than a day ago, the oldest first. `until`: the last month, as 202611. The partition of the
 * past ends with the month of its last event. None that is later than an event of the default partition, whose events are not
 * archived: the archive has only what is older than everything in the database.
 */
export async function findClosedMonths(db: Database, until: string): Promise<ClosedMonth[]> {
  const { rows } = await sql<ClosedMonth>`
    select replace(relname, 'audit_event_', '') as name, month
      from pg_inherits join pg_class c on c.oid = inhrelid
      cross join lateral (
        select case when relname ~ 'past$'
                    then (select to_char(max(occurred_at) at time zone 'UTC', 'YYYYMM') from audit_event where id < 2199023255552)
                    else right(relname, 6) end as month
      ) named
     where inhparent = 'audit_event'::regclass and relname ~ '_([0-9]{6}|past)$'
       and (month is null or month <= ${until} and month < to_char(clock_now() at time zone 'UTC' - interval '1 day', 'YYYYMM'))
       and not exists (
         select from audit_event_default
          where id < audit_id_floor(to_date(coalesce(month, '000101'), 'YYYYMM')::timestamp at time zone 'UTC'))
     order by relname !~ 'past$', relname`.execute(db)
  return rows
}

export const findClosedPartitions = async (db: Database, until: string): Promise<string[]> =>
  (await findClosedMonths(db, until)).map(({ name }) => name)

const partition = (table: 'audit_event' | 'audit_leaf', name: string) => sql.table(`${table}_${name}`)

/** The last checkpoint that seals an event of a partition; null: it has no event. And whether all its events are sealed. */
export async function readExtent(
  db: Database,
  name: string,
): Promise<{ last: number | null; is_sealed: boolean }> {
  const { rows } = await sql<{ last: number | null; is_sealed: boolean }>`
    select (select max(checkpoint) from ${partition('audit_leaf', name)}) as last,
           not exists (select from ${partition('audit_event', name)} e
                        where not exists (select from ${partition('audit_leaf', name)} l
                                           where l.event_id = e.id)) as is_sealed`.execute(db)
  return rows[0]!
}

/** The checkpoints up to `last` that also seal events of a partition. */
export async function findEarlierCheckpoints(db: Database, name: string, last: number): Promise<number[]> {
  const { rows } = await sql<{ checkpoint: number }>`
    select distinct checkpoint from ${partition('audit_leaf', name)} where checkpoint <= ${last} order by 1`.execute(
    db,
  )
  return rows.map(({ checkpoint }) => checkpoint)
}

/** A checkpoint, and its events in the order of their leaves. */
export async function findSealed(
  db: Database,
  number: number,
): Promise<{ checkpoint: SignedCheckpoint; events: EventRow[] } | undefined> {
  const { rows: checkpoints } = await sql<SignedCheckpoint>`
    select body, signature from audit_checkpoint where number = ${number}`.execute(db)
  const { rows: events } = await sql<EventRow>`
    select ${SEALABLE_COLUMNS}, l.checkpoint, l.position, c.salt
      from audit_leaf l join audit_checkpoint c on c.number = l.checkpoint join audit_event e on e.id = l.event_id
      left join partner p on p.id = e.partner_id
     where l.checkpoint = ${number} order by l.position`.execute(db)
  return checkpoints[0] && { checkpoint: checkpoints[0], events }
}

type After = Pick<ArchivedDisclosure, 'citizen_id' | 'kind' | 'id'>

/** The disclosures of a partition by citizen, by the index on citizen, kind and id. */
export async function readDisclosures(
  db: Database,
  name: string,
  after: After | undefined,
  limit: number,
): Promise<ArchivedDisclosure[]> {
  const { rows } = await sql<ArchivedDisclosure>`
    select e.id, e.citizen_id, e.partner_id, e.request_id, e.kind, e.tracking_no, e.detail,
           to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at,
           l.checkpoint, l.position
      from ${partition('audit_event', name)} e join ${partition('audit_leaf', name)} l on l.event_id = e.id
     where (e.citizen_id, e.kind, e.id) > (${after?.citizen_id ?? 0}, ${after?.kind ?? ''}, ${after?.id ?? 0})
       and e.kind in ('profile.disclosed', 'profile.viewed', 'sso.authenticated') and e.partner_id is not null
     order by e.citizen_id, e.kind, e.id limit ${limit}`.execute(db)
  return rows
}

/** Drops the partitions of events and leaves, keeps what disputes and receipts need, and says so in the audit. */
export async function endPartition(
  tx: Database,
  { name, first_checkpoint, last_checkpoint, history_hash }: Archive,
  by: { actor: string; requestId: string },
): Promise<void> {
  await sql`
    select end_audit_partition(${name}::text, ${first_checkpoint}::bigint, ${last_checkpoint}::bigint, ${history_hash}::text,
                               ${by.actor}::text, ${by.requestId}::text)`.execute(tx)
}
