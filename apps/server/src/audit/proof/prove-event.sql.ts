import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { sealedNear } from '../audit-partitions.sql.ts'
import { readStatement, type SignedCheckpoint } from '../checkpoints/checkpoint.ts'
import { SEALABLE_COLUMNS } from '../leaf.sql.ts'
import type { SealableRow } from '../leaf.ts'

export type SealedEvent = SealableRow &
  SignedCheckpoint & { checkpoint: number; position: number; salt: string; hashes: string[] }

/**
 * An event with its checkpoint and the hashes of all leaves under it. `undefined`: not sealed yet.
 *
 * A checkpoint has events of two months at most, unless a clock was wrong or nothing was sealed for a month. So the leaves of these
 * months are read, and those of all months only if some are missing.
 */
export async function findSealedEvent(db: Database, id: number): Promise<SealedEvent | undefined> {
  const found = await readSealedEvent(db, id, sealedNear('event_id', id))
  return !found || hasAllLeaves(found) ? found : readSealedEvent(db, id, sql`true`)
}

const hasAllLeaves = ({ hashes, ...checkpoint }: SealedEvent): boolean => {
  const { first_position, last_position } = readStatement(checkpoint)
  return hashes.length === last_position - first_position + 1
}

async function readSealedEvent(
  db: Database,
  id: number,
  isLeafRead: RawBuilder<unknown>,
): Promise<SealedEvent | undefined> {
  const { rows } = await sql<SealedEvent>`
    select ${SEALABLE_COLUMNS}, l.checkpoint, l.position, c.salt, c.body, c.signature,
           array(select hash from audit_leaf
                  where checkpoint = c.number and ${isLeafRead} order by position) as hashes
      from audit_event e left join partner p on p.id = e.partner_id
      join audit_leaf l on l.event_id = e.id join audit_checkpoint c on c.number = l.checkpoint
     where e.id = ${id}`.execute(db)
  return rows[0]
}
