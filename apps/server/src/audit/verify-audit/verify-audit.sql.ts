import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { SignedCheckpoint } from '../checkpoints/checkpoint.ts'
import { SEALABLE_COLUMNS } from '../leaf.sql.ts'
import type { SealableRow } from '../leaf.ts'
import type { EventPosition } from '../sealing/sealing.sql.ts'

export type SaltedCheckpoint = SignedCheckpoint & { number: number; salt: string }

/** Oldest first, starting with this number. */
export async function findCheckpointsFrom(
  db: Database,
  number: number,
  limit: number,
): Promise<SaltedCheckpoint[]> {
  const { rows } = await sql<SaltedCheckpoint>`
    select number, body, signature, salt from audit_checkpoint
     where number >= ${number} order by number limit ${limit}`.execute(db)
  return rows
}

/** A leaf and its event; null: the event was deleted. */
export type LeafRow = { position: number; event_id: number; hash: string; event: SealableRow | null }

export async function findLeaves(db: Database, checkpoint: number, limit: number): Promise<LeafRow[]> {
  type Joined = { position: number; event_id: number; hash: string } & (SealableRow | { id: null })
  const { rows } = await sql<Joined>`
    select l.position, l.event_id, l.hash, ${SEALABLE_COLUMNS}
      from audit_leaf l left join audit_event e on e.id = l.event_id
      left join partner p on p.id = e.partner_id
     where l.checkpoint = ${checkpoint} order by l.position limit ${limit}`.execute(db)
  return rows.map(({ position, event_id, hash, ...event }) => ({
    position,
    event_id,
    hash,
    event: event.id === null ? null : event,
  }))
}

/** The last event up to a checkpoint that still exists. */
export async function findLastPosition(db: Database, checkpoint: number): Promise<EventPosition> {
  const { rows } = await sql<EventPosition>`
    select e.xid::text as xid, e.id from audit_leaf l join audit_event e on e.id = l.event_id
     where l.checkpoint <= ${checkpoint} order by l.checkpoint desc, l.position desc limit 1`.execute(db)
  return rows[0] ?? { xid: '0', id: 0 }
}

/**
 * The first event without a leaf between two positions. A database that was restored into another PostgreSQL
 * may contain transaction ids that this PostgreSQL has not reached yet. If `until` is such an id, the order
 * is unknown and nothing is returned.
 */
export async function findAdded(
  db: Database,
  after: EventPosition,
  until: EventPosition,
): Promise<EventPosition | undefined> {
  const { rows } = await sql<EventPosition>`
    select e.xid::text as xid, e.id from audit_event e
     where (e.xid, e.id) > (${after.xid}::xid8, ${after.id}::bigint)
       and (e.xid, e.id) <= (${until.xid}::xid8, ${until.id}::bigint)
       and ${until.xid}::xid8 < pg_snapshot_xmax(pg_current_snapshot())
       and (select true from audit_leaf l where l.event_id = e.id) is null
     order by e.xid, e.id limit 1`.execute(db)
  return rows[0]
}

/** The first leaf after a checkpoint whose own checkpoint does not exist. */
export async function findStrayLeaf(
  db: Database,
  after: number,
): Promise<{ checkpoint: number } | undefined> {
  const { rows } = await sql<{ checkpoint: number }>`
    select l.checkpoint from audit_leaf l
     where l.checkpoint > ${after}
       and not exists (select from audit_checkpoint c where c.number = l.checkpoint)
     order by l.checkpoint limit 1`.execute(db)
  return rows[0]
}
