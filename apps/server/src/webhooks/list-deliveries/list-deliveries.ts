import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { toDelivery } from '../delivery.ts'
import { findDeliveries, findEventPosition } from './list-deliveries.sql.ts'

export const listDeliveries: Operation<'listDeliveries'> = async ({ db }, { query }) => {
  const { rows, next_cursor } = await paginate(query, {
    locate: (webhookId) => findEventPosition(db, webhookId),
    read: (after, limit) =>
      findDeliveries(db, { partnerCode: query.partner_code, status: query.status, after, limit }),
    toCursor: ({ webhook_id }) => webhook_id,
  })
  return { status: 200, body: { deliveries: rows.map(toDelivery), next_cursor } }
}
