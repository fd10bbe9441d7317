import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { fromMonthBefore, idFloorOf } from '../audit-partitions.sql.ts'
import type { SignedCheckpoint } from '../checkpoints/checkpoint.ts'
import { SEALABLE_COLUMNS } from '../leaf.sql.ts'
import type { SealableRow } from '../leaf.ts'

/** The key of the advisory lock. Nothing else uses this number. */
export const SEALING_LOCK_KEY = 7_410_201

const SEALING_TIMEOUT_MS = 60_000

/**
 * Takes the sealing lock until the transaction ends. False: another process is sealing. Also turns off
 * sequential and bitmap scans for the transaction: events must be read through their index, since a plan that
 * sorts would read every unsealed event again for each page.
 */
export async function lockSealing(tx: Database): Promise<boolean> {
  const { rows } = await sql<{ is_acquired: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(SEALING_LOCK_KEY)}) as is_acquired,
           set_config('statement_timeout', ${String(SEALING_TIMEOUT_MS)}, true),
           set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    tx,
  )
  return rows[0]!.is_acquired
}

export type EventPosition = Pick<SealableRow, 'xid' | 'id'>

/** `from_id`: events are searched from the month before that of this id; by default, of the position. */
export type SealedUntil = EventPosition & { from_id?: number }

export const fromIdOf = ({ from_id, id }: SealedUntil): number => from_id ?? id

export type Latest = SignedCheckpoint & { sealed_until: SealedUntil | null }

/**
 * The newest checkpoint, and the event up to which all events are sealed. A database that was restored into
 * another PostgreSQL may contain transaction ids that this PostgreSQL has not reached yet. Then
 * `sealed_until` is null, and the whole table is searched.
 *
 * The clock of the database can have been ahead for a moment. The newest event is then in a later month than
 * the next ones, so the months are searched from the earlier of its month and this one.
 */
export async function findLatest(db: Database): Promise<Latest | undefined> {
  const { rows } = await sql<SignedCheckpoint & { this_month_id: number }>`
    select body, signature, audit_id_floor(clock_now()) as this_month_id
      from audit_checkpoint order by number desc limit 1`.execute(db)
  if (!rows[0]) return undefined
  const { this_month_id, ...checkpoint } = rows[0]
  const fromMonthOf = (id: number) => Math.min(id, this_month_id)
  const [, at] = /"latest_event_at":"(\d{4}-\d\d)/.exec(checkpoint.body) ?? []
  // Of the whole audit, if these months have none, as after a restore or in an altered database.
  const last =
    (at === undefined
      ? undefined
      : await findLastLeaf(db, (column) => fromMonthBefore(column, fromMonthOf(idFloorOf(at))))) ??
    (await findLastLeaf(db, () => sql`true`))
  return {
    ...checkpoint,
    sealed_until: last?.is_reached ? { xid: last.xid, id: last.id, from_id: fromMonthOf(last.id) } : null,
  }
}

/** The event of the last leaf, and whether this PostgreSQL has reached its transaction id. */
async function findLastLeaf(
  db: Database,
  isInMonths: (column: string) => RawBuilder<unknown>,
): Promise<(EventPosition & { is_reached: boolean }) | undefined> {
  const { rows } = await sql<EventPosition & { is_reached: boolean }>`
    select e.xid::text as xid, e.id, e.xid < pg_snapshot_xmax(pg_current_snapshot()) as is_reached
      from audit_leaf l join audit_event e on e.id = l.event_id
     where ${isInMonths('l.event_id')} and ${isInMonths('e.id')}
     order by l.checkpoint desc, l.position desc limit 1`.execute(db)
  return rows[0]
}

/**
 * Events `e` after a position that have no leaf. The subquery is one index probe per event, however many
 * leaves exist. Only the partitions of these months are read: this runs every second.
 */
function isUnsealed(after: SealedUntil | null | undefined): RawBuilder<unknown> {
  const isInMonths = (column: string) => (after ? fromMonthBefore(column, fromIdOf(after)) : sql`true`)
  return sql`
      (${after ? isAfter(after) : sql`true`} and ${isInMonths('e.id')})
       and (select true from audit_leaf l where l.event_id = e.id and ${isInMonths('l.event_id')}) is null`
}

const isAfter = ({ xid, id }: EventPosition) => sql`(e.xid, e.id) > (${xid}::xid8, ${id}::bigint)`

/**
 * Whether an event after the position is in an earlier month than those that are searched: the clock of the
 * database was behind when it was written.
 */
export async function hasEarlierMonth(tx: Database, after: SealedUntil): Promise<boolean> {
  const { rows } = await sql`
    select from audit_event e
     where ${isAfter(after)} and not ${fromMonthBefore('e.id', fromIdOf(after))}
     order by e.xid, e.id limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * The events to seal next. Only events of transactions older than every running transaction are read: no
 * event can still appear before them. A transaction id that this PostgreSQL has not reached yet comes from
 * another PostgreSQL, and that transaction ended long ago.
 */
export async function readUnsealed(
  tx: Database,
  after: SealedUntil | null | undefined,
  limit: number,
): Promise<SealableRow[]> {
  const { rows } = await sql<SealableRow>`
    select ${SEALABLE_COLUMNS} from audit_event e left join partner p on p.id = e.partner_id
     where ${isUnsealed(after)}
       and (e.xid < pg_snapshot_xmin(pg_current_snapshot())
            or e.xid >= pg_snapshot_xmax(pg_current_snapshot()))
     order by e.xid, e.id limit ${limit}`.execute(tx)
  return rows
}

/** Includes events of transactions that are still running. `most`: where counting stops. */
export async function countUnsealed(
  db: Database,
  after: SealedUntil | null | undefined,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from audit_event e where ${isUnsealed(after)} limit ${most}
    ) unsealed`.execute(db)
  return rows[0]!.count
}

type NewCheckpoint = SignedCheckpoint & {
  number: number
  salt: string
  leaves: { id: number; hash: string }[]
}

/**
 * An array of elements without commas. Faster than an array parameter: the driver would escape each element,
 * and requests wait.
 */
const arrayOf = (elements: (number | string)[]) => sql`string_to_array(${elements.join()}, ',')`

/**
 * Writes a checkpoint and its leaves in one statement.
 *
 * - `checkpoint`: the new checkpoint. Its number is unique, so two processes cannot write the same one.
 */
export async function insertCheckpoint(
  tx: Database,
  { number, body, signature, salt, leaves }: NewCheckpoint,
): Promise<void> {
  await sql`
    with checkpoint as (
      insert into audit_checkpoint (number, body, signature, salt)
      values (${number}, ${body}, ${signature}, ${salt})
    )
    insert into audit_leaf (checkpoint, position, event_id, hash)
    select ${number}::bigint, leaf.number - 1, leaf.event_id, leaf.hash
      from unnest(${arrayOf(leaves.map(({ id }) => id))}::bigint[],
                  ${arrayOf(leaves.map(({ hash }) => hash))})
           with ordinality as leaf (event_id, hash, number)`.execute(tx)
}

/** The age of the oldest event that is not sealed; 0 if every event is. */
export async function readUnsealedSeconds(db: Database): Promise<number> {
  const after = (await findLatest(db))?.sealed_until
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_now() - e.occurred_at)::float8 as seconds
      from audit_event e where ${isUnsealed(after)} order by e.xid, e.id limit 1`.execute(db)
  return rows[0]?.seconds ?? 0
}
