import { Failure } from '../failure.ts'
import type { Operation } from '../operation.ts'
import { acknowledge } from './anomaly.sql.ts'
import { toAnomaly } from './anomaly.ts'

export const acknowledgeAnomaly: Operation<'acknowledgeAnomaly'> = async (
  service,
  { caller: { subject: actor }, path, query, requestId },
) => {
  const action = { kind: 'anomaly.acknowledged', actor, requestId, detail: path.anomaly_id, ...query }
  const row = await acknowledge(service, path.anomaly_id, action)
  if (!row) throw new Failure('not_found', { message: 'No anomaly has this anomaly_id' })
  return { status: 200, body: toAnomaly(row) }
}
