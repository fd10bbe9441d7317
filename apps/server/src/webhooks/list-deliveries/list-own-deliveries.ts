import { readTime } from '../../database/clock.ts'
import { paginate } from '../../database/pagination.ts'
import type { Operation } from '../../operation.ts'
import { toDelivery } from '../delivery.ts'
import { findOwnDeliveries, findOwnPosition } from '../own-events.sql.ts'

export const listOwnDeliveries: Operation<'listOwnDeliveries'> = async ({ db }, { caller, query }) => {
  const { partnerId } = caller
  const filter = {
    partnerId,
    type: query.type,
    status: query.status,
    trackingNo: query.tracking_no,
    since: readTime('since', query.since),
    until: readTime('until', query.until),
  }
  const { rows, next_cursor } = await paginate(query, {
    locate: (webhookId) => findOwnPosition(db, partnerId, webhookId),
    read: (after, limit) => findOwnDeliveries(db, filter, after, limit),
    toCursor: ({ webhook_id }) => webhook_id,
  })
  return { status: 200, body: { deliveries: rows.map(toDelivery), next_cursor } }
}
