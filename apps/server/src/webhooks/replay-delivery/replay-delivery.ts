import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { toDelivery } from '../delivery.ts'
import { restartDelivery } from './replay-delivery.sql.ts'

export const replayDelivery: Operation<'replayDelivery'> = async ({ db }, { caller, path, requestId }) => {
  const delivery = await restartDelivery(db, path.webhook_id, {
    kind: 'delivery.replayed',
    actor: caller.subject,
    requestId,
    detail: path.webhook_id,
  })
  if (!delivery) throw new Failure('not_found', { message: 'No event has this webhook_id' })
  return { status: 200, body: toDelivery(delivery) }
}
