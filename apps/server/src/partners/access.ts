import type { Schemas } from '@tiwala/contract'
import { Failure } from '../failure.ts'
import type { PartnerRow, AuthenticatedPartner } from './partner.ts'

export function requireScope(partner: Pick<PartnerRow, 'scopes'>, scope: PartnerRow['scopes'][number]): void {
  if (!partner.scopes.includes(scope))
    throw new Failure('scope_not_granted', { message: `The scope ${scope} is not granted to this partner` })
}

type AuthenticatedCall<Partner> = { caller: Partner; reauthenticate(): Promise<Partner> }

/**
 * Runs a statement that checks the partner's access. If the access has changed since the partner was
 * authenticated, the partner is authenticated again, which fails if it lost its access, and the statement
 * runs once more.
 */
export async function withCurrentAccess<
  Partner extends AuthenticatedPartner,
  Result extends { is_current: boolean },
>(
  call: AuthenticatedCall<Partner>,
  scope: Schemas['Scope'],
  run: (caller: Partner) => Promise<Result>,
): Promise<Result> {
  const first = await run(call.caller)
  if (first.is_current) return first
  call.caller = await call.reauthenticate()
  requireScope(call.caller, scope)
  const second = await run(call.caller)
  if (second.is_current) return second
  throw new Failure('unavailable', { retryAfterSeconds: 1 })
}
