import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { toDelivery } from '../delivery.ts'
import { restartDeliveries } from './replay-delivery.sql.ts'

export const replayDelivery: Operation<'replayDelivery'> = async ({ db }, { caller, path, requestId }) => {
  const action = { actor: caller.subject, requestId }
  const [delivery] = await restartDeliveries(db, [path.webhook_id], undefined, action)
  if (!delivery) throw new Failure('not_found', { message: 'No event has this webhook_id' })
  return { status: 200, body: toDelivery(delivery) }
}
