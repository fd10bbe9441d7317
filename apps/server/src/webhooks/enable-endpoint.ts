import type { Operation } from '../operation.ts'
import { enableStoredEndpoint, findEndpoint } from './endpoint.sql.ts'
import { toEndpoint } from './endpoint.ts'

export const enableEndpoint: Operation<'enableEndpoint'> = async ({ db }, { caller, requestId }) => {
  const action = { kind: 'callback.enabled', actor: caller.memberId, requestId }
  await enableStoredEndpoint(db, caller.partnerId, action)
  return { status: 200, body: toEndpoint(await findEndpoint(db, caller.partnerId)) }
}
