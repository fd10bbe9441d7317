import type { ErrorCode, Schemas } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { partnerPolicyOf } from '../operations.ts'
import type { CheckName, Refusal } from './refusal.ts'

export type Check = Schemas['DiagnosisCheck']

/**
 * The check that fails with an error. The other errors are not the partner's fault, or already explain
 * themselves.
 */
export const CHECK_OF: Partial<Record<ErrorCode, CheckName>> = {
  malformed_request: 'request',
  not_acceptable: 'request',
  payload_too_large: 'request',
  unsupported_media_type: 'request',
  browser_use_forbidden: 'browser',
  credentials_missing: 'credentials',
  credentials_invalid: 'credentials',
  partner_invalid: 'credentials',
  partner_suspended: 'suspension',
  ip_not_allowed: 'address',
  validation_failed: 'fields',
  rate_limited: 'rate',
  quota_exceeded: 'rate',
  scope_invalid: 'scope',
  scope_not_granted: 'scope',
  qr_value_invalid: 'qr_value',
  slow_down: 'polling',
  tracking_no_not_found: 'record',
  result_expired: 'result',
  authorization_not_pending: 'state',
  exchange_code_invalid: 'exchange_code',
  token_invalid: 'access_token',
  token_expired: 'access_token',
  token_used: 'access_token',
}

/**
 * The checks that can refuse a request of a partner operation: those of the error codes that it documents.
 * `rate_limited` alone does not make it one of `rate`, since it also limits wrong credentials.
 */
export function checksOf(operation: string): CheckName[] {
  const policy = partnerPolicyOf(operation)
  if (!policy) return []
  const codes = (Object.keys(CHECK_OF) as ErrorCode[]).filter((code) =>
    (catalogue[code].operations as string[]).includes(operation),
  )
  const checks = new Set(codes.map((code) => CHECK_OF[code]!))
  if (!policy.rateLimit && !policy.isCountedDaily) checks.delete('rate')
  return [...checks]
}

/** The check that failed. `undefined`: no check caused the refusal. */
export const failedCheck = ({ failure }: Refusal): CheckName | undefined =>
  failure.check ?? CHECK_OF[failure.code as ErrorCode]

/** The checks that passed, the one that failed, and those of the operation that were not reached. */
export function toChecks(
  { passed, operation }: Refusal,
  failed: CheckName,
  detail: string | null,
): Schemas['DiagnosisCheck'][] {
  // A check that passed may fail later, when the operation repeats it. A check may pass more than once.
  const before = new Set(passed)
  before.delete(failed)
  const after = operation ? checksOf(operation).filter((check) => check !== failed && !before.has(check)) : []
  return [
    ...[...before].map((check) => ({ check, outcome: 'passed', detail: null }) as const),
    { check: failed, outcome: 'failed', detail },
    ...after.map((check) => ({ check, outcome: 'not_reached', detail: null }) as const),
  ]
}

/** The detail of a failed check that needs no lookup. It never repeats text of the request. */
export function plainDetail({ failure, address }: Refusal, failed: CheckName): string | null {
  const isTooManyWaits = failed === 'polling' && failure.code === 'rate_limited'
  if (failed === 'request' || failure.code === 'scope_not_granted' || isTooManyWaits) return failure.message
  if (failed === 'address') return `the request came from ${address}`
  if (failed === 'rate')
    return failure.code === 'quota_exceeded' ? 'the daily quota is used up' : 'over the limit of a minute'
  return PLAIN[failed] ?? null
}

const PLAIN: Partial<Record<CheckName, string>> = {
  browser: 'the request has an Origin header, as browsers send. Send it from your server.',
  suspension: 'the administrator has suspended this partner',
  fields: 'named in `errors` of the answer',
  scope: 'the field scope must be SSO_AUTHENTICATION',
  citizen_rate: 'this citizen has been asked too often',
  polling: 'this record was requested a moment ago. Wait for Retry-After.',
  record: 'no record of yours has this tracking number',
  // The time is over, or the citizen forbids it. The partner may not learn which.
  result: 'not usable',
  state: 'the record is no longer pending',
}
