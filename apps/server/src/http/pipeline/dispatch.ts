import type { OperationId } from '@tiwala/contract'
import type { RequestHandler } from 'express'
import { Failure, fieldFailure } from '../../failure.ts'
import { runOnce, takesIdempotencyKey } from '../../idempotency/idempotency.ts'
import { runIn } from '../../metrics/tracing.ts'
import type {
  AuthenticatedMember,
  AuthenticatedOperator,
  BodyReply,
  PartnerPolicy,
  Service,
} from '../../operation.ts'
import { isLongRunningOperation, policyOf } from '../../operations.ts'
import { requireScope } from '../../partners/access.ts'
import type { AuthenticatedPartner } from '../../partners/partner.ts'
import type { CheckName } from './exchange.ts'
import { send, sendStream } from './reply.ts'

/**
 * Runs the operation that the validator has matched. `longRunning`: the service with connections for
 * long-running operations. `replica`: the one that reads a standby, if there is one.
 */
export function dispatch(service: Service, longRunning: Service, replica?: Service): RequestHandler {
  return async (req, res) => {
    // `OPTIONS *` has no path, and the validator lets it pass.
    if (!req.openapi) throw new Failure('not_found')
    const { caller, loaded, reauthenticate, requestId, trace, span, passed } = req.exchange
    const slot = req.exchange.slot!
    // A second guard: if a middleware above were removed, no request would be served without authentication.
    if (caller === undefined) throw new Error('No authenticated caller.')
    const { schema, pathParams } = req.openapi
    const policy = policyOf(schema.operationId)!
    if ('scope' in policy && policy.scope) {
      requireScopeOf(policy, caller as AuthenticatedPartner, req.body as { scope?: string })
      passed.push('scope')
    }
    const call = {
      caller,
      loaded,
      reauthenticate,
      query: req.query,
      path: pathParams,
      body: req.body as unknown,
      header: (name: string) => req.get(name),
      requestId,
      traceparent: trace.isContinued ? trace.traceparent : null,
      onClose: (listener: () => void) => void (res.closed ? listener() : res.once('close', listener)),
      slot,
      passed: (check: CheckName) => void passed.push(check),
    }
    const read = 'readsReplica' in policy && policy.readsReplica ? replica : undefined
    const used = read ?? (isLongRunningOperation(schema.operationId) ? longRunning : service)
    const run = async () => policy.run(used, call as never)
    const key = takesIdempotencyKey(schema.operationId) ? req.get('Idempotency-Key') : undefined
    const work = async () => {
      const reply =
        key === undefined
          ? await run()
          : await runOnce(
              service,
              {
                operationId: schema.operationId,
                caller: idempotentCallerOf(caller as AuthenticatedOperator | AuthenticatedMember),
                key,
                request: [pathParams, req.query, req.body],
              },
              run as () => Promise<BodyReply<OperationId>>,
            )
      await ('stream' in reply ? sendStream(res, reply) : send(req, res, reply, used.db))
    }
    await slot.keepDuring(() => runIn(span, work))
  }
}

const idempotentCallerOf = (caller: AuthenticatedOperator | AuthenticatedMember) =>
  'subject' in caller ? caller.subject : caller.memberId

function requireScopeOf(
  { scope, isScopeInBody }: PartnerPolicy,
  partner: AuthenticatedPartner,
  body: { scope?: string },
): void {
  if (isScopeInBody && body.scope !== scope) throw fieldFailure('scope_invalid', 'scope')
  if (scope) requireScope(partner, scope)
}
