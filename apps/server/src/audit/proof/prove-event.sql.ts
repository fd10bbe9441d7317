import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { sealedNear } from '../audit-partitions.sql.ts'
import type { SignedCheckpoint } from '../checkpoints/checkpoint.ts'
import { SEALABLE_COLUMNS } from '../leaf.sql.ts'
import type { SealableRow } from '../leaf.ts'

export type SealedEvent = SealableRow &
  SignedCheckpoint & { checkpoint: number; position: number; salt: string; hashes: string[] }

/** An event with its checkpoint and the hashes of all leaves under it. `undefined`: not sealed yet. */
export async function findSealedEvent(db: Database, id: number): Promise<SealedEvent | undefined> {
  const { rows } = await sql<SealedEvent>`
    select ${SEALABLE_COLUMNS}, l.checkpoint, l.position, c.salt, c.body, c.signature,
           array(select hash from audit_leaf
                  where checkpoint = c.number and ${sealedNear('event_id', id)} order by position) as hashes
      from audit_event e left join partner p on p.id = e.partner_id
      join audit_leaf l on l.event_id = e.id join audit_checkpoint c on c.number = l.checkpoint
     where e.id = ${id}`.execute(db)
  return rows[0]
}
