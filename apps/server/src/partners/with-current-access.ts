import type { Schemas } from '@tiwala/contract'
import { Failure } from '../failure.ts'
import type { AuthenticatedPartner } from './partner.ts'
import { requireScope } from './require-scope.ts'

type Caller<Proven> = { caller: Proven; reauthenticate(): Promise<Proven> }

/**
 * Runs a statement that checks the access of its caller. If that has changed since the caller was authenticated, the caller is
 * authenticated again, which refuses one that lost its access, and the statement runs once more.
 */
export async function withCurrentAccess<Proven extends AuthenticatedPartner, Result extends { is_current: boolean }>(
  call: Caller<Proven>,
  scope: Schemas['Scope'],
  run: (caller: Proven) => Promise<Result>,
): Promise<Result> {
  const first = await run(call.caller)
  if (first.is_current) return first
  call.caller = await call.reauthenticate()
  requireScope(call.caller, scope)
  const second = await run(call.caller)
  if (second.is_current) return second
  throw new Failure('unavailable', { retryAfterSeconds: 1 })
}
