import { type Edit, gone, merged, minus, plus, to } from './edits.ts'

/** More that the service accepts, and less that it sends. */
export const LOOSER: Edit[] = [
  ['a longer text in a request', 'partner', 'QrSubmission > properties > qr_value > maxLength', to(512)],
  ['no minimum in a request', 'operator', 'PartnerLimitsChange > properties > per_day > minimum', gone],
  ['more values in a request', 'operator', 'listPartners > parameters > 0 > schema > enum', plus('ENDED')],
  ['a required field of a request is optional', 'partner', 'TokenRequest > required', minus('scope')],
  ['a required parameter is optional', 'partner', 'inquire > parameters > 0 > required', gone],
  ['a body is optional', 'partner', 'generateToken > requestBody > required', gone],
  ['fewer credentials', 'partner', 'inquire > security', to([{ secretCode: [] }])],
  ['an operation without a scope', 'operator', 'listPartners > security', to([{ operatorToken: [] }])],
  ['a field is always present', 'partner', 'Error > required', plus('errors')],
  ['a nullable field is never null', 'partner', 'Profile > properties > suffix > type', to('string')],
  ['a shorter text in a response', 'partner', 'Profile > properties > uniqid > maxLength', to(32)],
  ['fewer values in a response', 'partner', 'AuthorizationState > enum', minus('REVOKED')],
  [
    'a variant is never sent',
    'partner',
    'inquire > responses > 200 > content > application/json > schema > properties > data > oneOf',
    (old: unknown[]) => old.slice(1),
  ],
  ['a header is always sent', 'partner', 'RetryAfter > required', to(true)],
  [
    'a new answer to an event',
    'partner',
    'profile.viewed > responses',
    merged({ 429: { description: 'Slower.' } }),
  ],
  [
    'fewer values in an event',
    'partner',
    'AuthorizationEvent > properties > data > properties > scope > enum',
    minus('PROFILE_VIEW'),
  ],
]
