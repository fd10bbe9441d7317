import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { filterBy, filterByPartner, MAX_ID, rangeOf } from '../../database/pagination.ts'
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
  actor?: string
  checkpoint?: number
  from: Date | undefined
  to: Date | undefined
}

/**
 * Newest first. Each combination of actor, partner and kind has an index in the order of the list (`audit_event_..._time`), of
 * which a page is one range. Those with an actor have only the events with one, and PostgreSQL takes them only if the statement says
 * so. The events of a checkpoint are found by its leaves; there are at most `MAX_LEAVES`. The event `before`, where the page before
 * ended, is earlier than `to`.
 */
export async function findEvents(
  db: Database,
  { kind, partner_code, actor, checkpoint, from, to }: Filter,
  before: number | undefined,
  limit: number,
): Promise<EventRow[]> {
  const [ofActor, ofPartner] = [filterBy('e.actor', actor), filterByPartner('e.partner_id', partner_code)]
  const range = rangeOf(
    [...ofActor, ...ofPartner, ...filterBy('e.kind', kind)],
    before === undefined
      ? [
          ['e.occurred_at', to ?? 'infinity'],
          ['e.id', to ? 0 : MAX_ID],
        ]
      : [
          ['e.occurred_at', sql`(select occurred_at from audit_event where id = ${before})`],
          ['e.id', before],
        ],
    filterBy('e.occurred_at', from),
  )
  const isIndexed = ofActor.length
    ? sql.join(
        [...ofActor, ...ofPartner].map(([column]) => sql`${sql.ref(column)} is not null`),
        sql` and `,
      )
    : sql`true`
  const source =
    checkpoint === undefined
      ? sql`audit_event e where`
      : sql`audit_leaf l cross join lateral (select * from audit_event where id = l.event_id limit 1) e
             where l.checkpoint = ${checkpoint} and`
  const { rows } = await sql<EventRow>`
    select ${SEALABLE_COLUMNS}, l.checkpoint, l.position, c.salt
      from (select e.* from ${source} ${isIndexed} and ${range} limit ${limit}) e
      left join lateral (select * from partner where id = e.partner_id limit 1) p on true
      left join lateral (select * from audit_leaf where event_id = e.id limit 1) l on true
      left join lateral (select * from audit_checkpoint where number = l.checkpoint limit 1) c on true
     order by e.occurred_at desc, e.id desc`.execute(db)
  return rows
}
