// An operation documents an error code exactly if its policy makes the server give it.
import type { ErrorCode, OperationId } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import { expect, test } from 'vitest'
import type { PartnerPolicy, Policy } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'

const IDS = Object.keys(operations) as OperationId[]
const always = () => true
const by =
  (...kinds: Policy['authentication'][]) =>
  ({ authentication }: Policy) =>
    kinds.includes(authentication)
const ofPartners = (decide: (policy: PartnerPolicy) => boolean) => (policy: Policy) =>
  'scope' in policy && decide(policy)
const withBearerToken = by('access_token', 'citizen_token', 'operator_token')
const byAnyToken = (policy: Policy) => withBearerToken(policy) || policy.authentication === 'member'

/** Every administrator may read and end the own session, and withdraw the own requests. */
const WITHOUT_SCOPE = new Set<OperationId>(['readOwnSession', 'endOwnSession', 'withdrawOwnApproval'])

const IS_GIVEN: Partial<Record<ErrorCode, (policy: Policy, id: OperationId) => boolean>> = {
  malformed_request: always,
  credentials_missing: by('secret_headers'),
  credentials_invalid: by('secret_headers'),
  token_missing: withBearerToken,
  token_invalid: byAnyToken,
  token_expired: byAnyToken,
  token_used: by('access_token'),
  partner_invalid: by('secret_in_body'),
  partner_suspended: ofPartners(always),
  ip_not_allowed: ofPartners(always),
  browser_use_forbidden: by('secret_headers', 'secret_in_body'),
  scope_not_granted: (policy, id) =>
    (policy.authentication === 'operator_token' && !WITHOUT_SCOPE.has(id)) ||
    ofPartners(({ scope }) => scope !== null)(policy),
  not_acceptable: always,
  validation_failed: always,
  scope_invalid: ofPartners(({ isScopeInBody }) => isScopeInBody),
  rate_limited: always,
  quota_exceeded: ofPartners(({ isCountedDaily }) => isCountedDaily),
  internal_error: always,
  unavailable: always,
}

test.each(Object.keys(IS_GIVEN) as ErrorCode[])('%s is documented where it can be given', (code) => {
  const given = IDS.filter((id) => IS_GIVEN[code]!(operations[id], id))
  expect(new Set<string>(catalogue[code].operations)).toEqual(new Set(given))
})

test('the RateLimit headers are documented for the operations with a limit per minute', () => {
  const documented = Object.values<Record<string, { operationId: string; responses: object }>>(partner.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ responses }) => JSON.stringify(responses).includes('"RateLimit-Policy"'))
  const limited = IDS.filter((id) => ofPartners(({ rateLimit }) => rateLimit !== null)(operations[id]))
  expect(new Set(documented.map(({ operationId }) => operationId))).toEqual(new Set(limited))
})
