import { type Edit, removed, withKeys, withoutItems, withItems, replacedBy } from './edits.ts'

/** More that the service accepts, and less that it sends. */
export const LOOSER: Edit[] = [
  [
    'a longer text in a request',
    'partner',
    'QrSubmission > properties > qr_value > maxLength',
    replacedBy(512),
  ],
  ['no minimum in a request', 'operator', 'PartnerLimitsChange > properties > per_day > minimum', removed],
  [
    'more values in a request',
    'operator',
    'listPartners > parameters > 0 > schema > enum',
    withItems('ENDED'),
  ],
  ['a required field of a request is optional', 'partner', 'TokenRequest > required', withoutItems('scope')],
  [
    'longer bodies',
    'operator',
    'upsertCitizen > requestBody > content > application/json > x-max-bytes',
    replacedBy(20_000),
  ],
  ['a required parameter is optional', 'partner', 'inquire > parameters > 0 > required', removed],
  ['a body is optional', 'partner', 'generateToken > requestBody > required', removed],
  ['a field is always present', 'partner', 'Error > required', withItems('errors')],
  ['a nullable field is never null', 'partner', 'Profile > properties > suffix > type', replacedBy('string')],
  ['a shorter text in a response', 'partner', 'Profile > properties > uniqid > maxLength', replacedBy(32)],
  ['fewer values in a response', 'partner', 'AuthorizationState > enum', withoutItems('REVOKED')],
  [
    'a variant is never sent',
    'partner',
    'inquire > responses > 200 > content > application/json > schema > properties > data > oneOf',
    (old: unknown[]) => old.slice(1),
  ],
  ['a header is always sent', 'partner', 'RetryAfter > required', replacedBy(true)],
  [
    'a new answer to an event',
    'partner',
    'profile.viewed > responses',
    withKeys({ 429: { description: 'Slower.' } }),
  ],
  [
    'fewer values in an event',
    'partner',
    'AuthorizationEvent > properties > data > properties > scope > enum',
    withoutItems('PROFILE_VIEW'),
  ],
]
