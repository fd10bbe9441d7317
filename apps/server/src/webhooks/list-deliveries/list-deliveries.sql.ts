import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { filterBy, filterByPartner, MAX_ID, rangeOf } from '../../database/pagination.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from '../delivery.sql.ts'

/** The position of an event, for paging. */
export async function findEventPosition(db: Database, webhookId: string): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number
  }>`select id from callback_event where webhook_id = ${webhookId}`.execute(db)
  return rows[0]?.id
}

type Filter = {
  partnerCode: string | undefined
  status: Schemas['DeliveryStatus'] | undefined
  after: number | undefined
  limit: number
}

/** Newest first. Each combination of partner and status has an index in the order of the list. */
export async function findDeliveries(
  db: Database,
  { partnerCode, status, after, limit }: Filter,
): Promise<DeliveryRow[]> {
  const range = rangeOf(
    [...filterByPartner('partner_id', partnerCode), ...filterBy('status', status)],
    [['id', after ?? MAX_ID]],
  )
  const { rows } = await sql<DeliveryRow>`
    select ${DELIVERY_COLUMNS} from (
      select * from callback_event where ${range} limit ${limit}
    ) e cross join lateral (select * from partner where id = e.partner_id limit 1) p
     order by e.id desc`.execute(db)
  return rows
}
