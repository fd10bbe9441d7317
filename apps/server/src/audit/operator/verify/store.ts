import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { SignedCheckpoint } from '../../checkpoint.ts'
import type { SealableRow } from '../../leaf.ts'
import { type Place, SEALABLE } from '../../sealing/store.ts'

export type SaltedCheckpoint = SignedCheckpoint & { number: number; salt: string }

/** In their order, from this one on. */
export async function findCheckpointsFrom(db: Database, number: number, limit: number): Promise<SaltedCheckpoint[]> {
  const { rows } = await sql<SaltedCheckpoint>`
    select number, body, signature, salt from audit_checkpoint where number >= ${number} order by number limit ${limit}`.execute(db)
  return rows
}

/** A leaf and its event; null: the event is gone. */
export type LeafRow = { position: number; event_id: number; hash: string; event: SealableRow | null }

export async function findLeaves(db: Database, checkpoint: number, limit: number): Promise<LeafRow[]> {
  type Joined = { position: number; event_id: number; hash: string } & (SealableRow | { id: null })
  const { rows } = await sql<Joined>`
    select l.position, l.event_id, l.hash, ${SEALABLE}
      from audit_leaf l left join audit_event e on e.id = l.event_id left join partner p on p.id = e.partner_id
     where l.checkpoint = ${checkpoint} order by l.position limit ${limit}`.execute(db)
  return rows.map(({ position, event_id, hash, ...event }) => ({ position, event_id, hash, event: event.id === null ? null : event }))
}

/** The last event that is still there up to a checkpoint. */
export async function findLastPlace(db: Database, checkpoint: number): Promise<Place> {
  const { rows } = await sql<Place>`
    select e.xid::text as xid, e.id from audit_leaf l join audit_event e on e.id = l.event_id
     where l.checkpoint <= ${checkpoint} order by l.checkpoint desc, l.position desc limit 1`.execute(db)
  return rows[0] ?? { xid: '0', id: 0 }
}

/**
 * The first event without a leaf among those that stand between two places. Where the latter is of another PostgreSQL's time to
 * come (a restored database), its transactions say nothing of ours.
 */
export async function findAdded(db: Database, after: Place, until: Place): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select e.xid::text as xid, e.id from audit_event e
     where (e.xid, e.id) > (${after.xid}::xid8, ${after.id}::bigint) and (e.xid, e.id) <= (${until.xid}::xid8, ${until.id}::bigint)
       and ${until.xid}::xid8 < pg_snapshot_xmax(pg_current_snapshot())
       and (select true from audit_leaf l where l.event_id = e.id) is null
     order by e.xid, e.id limit 1`.execute(db)
  return rows[0]
}

/** The first leaf behind a checkpoint that belongs to none. */
export async function findStrayLeaf(db: Database, behind: number): Promise<{ checkpoint: number } | undefined> {
  const { rows } = await sql<{ checkpoint: number }>`
    select l.checkpoint from audit_leaf l
     where l.checkpoint > ${behind} and not exists (select from audit_checkpoint c where c.number = l.checkpoint)
     order by l.checkpoint limit 1`.execute(db)
  return rows[0]
}
