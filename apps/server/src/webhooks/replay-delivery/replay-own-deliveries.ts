import type { Operation } from '../../operation.ts'
import { toDelivery } from '../delivery.ts'
import { restartDeliveries } from './replay-delivery.sql.ts'

export const replayOwnDeliveries: Operation<'replayOwnDeliveries'> = async (
  { db },
  { caller, body, requestId },
) => {
  const action = { actor: caller.memberId, requestId }
  const rows = await restartDeliveries(db, body.webhook_ids, caller.partnerId, action)
  return { status: 200, body: { deliveries: rows.map(toDelivery) } }
}
