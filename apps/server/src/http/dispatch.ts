import type { OperationId } from '@tiwala/contract'
import type { RequestHandler } from 'express'
import { Failure, fieldFailure } from '../failure.ts'
import type { Call, Operation, PartnerPolicy, Service } from '../operation.ts'
import { isLongRunningOperation, policyOf } from '../operations.ts'
import { requireScope } from '../partners/access.ts'
import type { AuthenticatedPartner } from '../partners/partner.ts'
import { send, sendStream } from './reply.ts'

/**
 * Runs the operation that the validator has matched. `longRunning`: the service with connections for
 * long-running operations.
 */
export function dispatch(service: Service, longRunning: Service): RequestHandler {
  return async (req, res) => {
    // `OPTIONS *` has no path, and the validator lets it pass.
    if (!req.openapi) throw new Failure('not_found')
    // A second guard: if a middleware above were removed, no request would be served without authentication.
    if (req.caller === undefined) throw new Error('No authenticated caller.')
    const { schema, pathParams } = req.openapi
    const policy = policyOf(schema.operationId)!
    if ('scope' in policy)
      requireScopeOf(policy, req.caller as AuthenticatedPartner, req.body as { scope?: string })
    const call = {
      caller: req.caller,
      loaded: req.loaded,
      reauthenticate: req.reauthenticate,
      query: req.query,
      path: pathParams,
      body: req.body as unknown,
      header: (name: string) => req.get(name),
      requestId: req.requestId,
      traceparent: req.trace.isContinued ? req.trace.traceparent : null,
      onClose: (listener: () => void) => void (res.closed ? listener() : res.once('close', listener)),
      slot: req.slot,
    }
    const work = async () => {
      const run = policy.run as Operation<OperationId>
      const reply = await run(
        isLongRunningOperation(schema.operationId) ? longRunning : service,
        call as unknown as Call<OperationId>,
      )
      await ('stream' in reply ? sendStream(res, reply) : send(req, res, reply))
    }
    await req.slot.keepDuring(work)
  }
}

function requireScopeOf(
  { scope, isScopeInBody }: PartnerPolicy,
  partner: AuthenticatedPartner,
  body: { scope?: string },
): void {
  if (isScopeInBody && body.scope !== scope) throw fieldFailure('scope_invalid', 'scope')
  if (scope) requireScope(partner, scope)
}
