import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
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

/** Newest first. */
export async function findDeliveries(
  db: Database,
  { partnerCode, status, after, limit }: Filter,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${DELIVERY_COLUMNS} from callback_event e join partner p on p.id = e.partner_id
     where (${partnerCode ?? null}::text is null
            or e.partner_id = (select id from partner where partner_code = ${partnerCode ?? null}))
       and (${status ?? null}::text is null or e.status = ${status ?? null})
       and (${after ?? null}::bigint is null or e.id < ${after ?? null})
     order by e.id desc limit ${limit}`.execute(db)
  return rows
}
