import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { SEALABLE_COLUMNS } from '../leaf.sql.ts'
import type { SealableRow } from '../leaf.ts'

export type EventRow = SealableRow & {
  checkpoint: number | null
  position: number | null
  salt: string | null
}

type Filter = {
  kind?: string
  partner_code?: string
  checkpoint?: number
  from: Date | undefined
  to: Date | undefined
}

/** Newest first. */
export async function findEvents(
  db: Database,
  filter: Filter,
  before: number | undefined,
  limit: number,
): Promise<EventRow[]> {
  const { kind, partner_code, checkpoint, from, to } = filter
  const { rows } = await sql<EventRow>`
    select ${SEALABLE_COLUMNS}, l.checkpoint, l.position, c.salt
      from audit_event e left join partner p on p.id = e.partner_id
      left join audit_leaf l on l.event_id = e.id left join audit_checkpoint c on c.number = l.checkpoint
     where (${kind ?? null}::text is null or e.kind = ${kind ?? null})
       and (${partner_code ?? null}::text is null
            or e.partner_id = (select id from partner where partner_code = ${partner_code ?? null}))
       and (${checkpoint ?? null}::bigint is null or l.checkpoint = ${checkpoint ?? null})
       and (${from ?? null}::timestamptz is null or e.occurred_at >= ${from ?? null})
       and (${to ?? null}::timestamptz is null or e.occurred_at < ${to ?? null})
       and (${before ?? null}::bigint is null or e.id < ${before ?? null})
     order by e.id desc limit ${limit}`.execute(db)
  return rows
}
