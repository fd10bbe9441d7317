import { type Edit, gone, merged, minus, plus, to } from './edits.ts'

const CODES = 'content > application/json > schema > allOf > 1 > properties > error > enum'
/** The body of `webhook.test` without its component, with a further type. */
const TEST_OR_PAUSED = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { enum: ['webhook.test', 'webhook.paused'] },
    timestamp: { type: 'string', format: 'date-time' },
    data: { type: 'object', additionalProperties: false },
  },
}
const FAILED = { $ref: '#/components/responses/InternalError' }

/** Sorts the keys of every object the other way round. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

/** Changes that no caller has to notice. */
export const HARMLESS: Edit[] = [
  // Texts
  ['a description of an operation', 'partner', 'inquire > description', to('Other words.')],
  ['a description of a field', 'partner', 'Profile > properties > photo > description', to('Other words.')],
  ['the description of a scheme', 'partner', 'secretToken > description', to('Other words.')],
  ['a summary', 'partner', 'inquire > summary', to('Other words')],
  ['a title', 'partner', 'Profile > title', to('Other words')],
  ['tags', 'partner', 'inquire > tags', to(['Other'])],
  ['an example', 'partner', 'inquire > parameters > 0 > example', to('7M3K9QXV4T0HB2ZJ6WFE8RC5NE')],
  [
    'examples of a response',
    'partner',
    'inquire > responses > 200 > content > application/json > examples',
    gone,
  ],
  ['a deprecated operation', 'partner', 'profileByQr > deprecated', to(true)],
  ['the order of keys', 'partner', 'components', reversed],
  ['the order of required fields', 'partner', 'Profile > required', (old: string[]) => old.toReversed()],
  [
    'the order of variants',
    'partner',
    'inquire > responses > 200 > content > application/json > schema > properties > data > oneOf',
    (old: unknown[]) => old.toReversed(),
  ],
  ['the order of parameters', 'operator', 'listPartners > parameters', (old: unknown[]) => old.toReversed()],
  [
    'a row of the lifetimes',
    'partner',
    'info > description',
    (old: string) => old.replace('| Exchange code |', '| Other | 1 s | once |\n| Exchange code |'),
  ],
  [
    'a longer lifetime',
    'partner',
    'info > description',
    (old: string) => old.replace('Pending record | 300 s', 'Pending record | 10 min'),
  ],
  // Other spellings
  ['a reference instead of a copy', 'partner', 'QrSubmission', (old: unknown) => ({ allOf: [old] })],
  [
    'an enum of one value instead of const',
    'partner',
    'WebhookTestEvent > properties > type',
    to({ type: 'string', enum: ['webhook.test'] }),
  ],
  ['a list of one type', 'partner', 'Profile > properties > email > type', to(['string'])],
  ['a header in other letters', 'partner', 'inquire > parameters > 1 > name', to('prefer')],
  ['a code that no operation uses', 'operator', 'ErrorCode > enum', minus('slow_down')],
  [
    'another form beside the published one',
    'partner',
    'QrSubmission > properties > qr_value',
    (old: object) => ({ anyOf: [old, { type: 'string', pattern: '^X' }] }),
  ],
  [
    'a nullable field as a choice',
    'partner',
    'Profile > properties > suffix',
    to({ anyOf: [{ type: 'null' }, { type: 'string' }] }),
  ],
  ['the order of parts', 'partner', 'PendingAuthorization > allOf', (old: unknown[]) => old.toReversed()],
  [
    'a fixed form of an integer',
    'partner',
    'Authorization > properties > id',
    to({ type: 'integer', exclusiveMinimum: 0, maximum: 9007199254740991 }),
  ],
  // Additions
  [
    'a link of a response',
    'partner',
    'inquire > responses > 200 > links',
    to({ next: { operationId: 'inquire' } }),
  ],
  [
    'a new type in a stream',
    'citizen-app',
    'CitizenEvent > properties > type > enum',
    plus('authorization.paused'),
  ],
  [
    'a new type in an event without a component',
    'partner',
    'webhook.test > requestBody > content > application/json > schema',
    to(TEST_OR_PAUSED),
  ],
  ['a default of a response', 'partner', 'Profile > properties > country_id > default', to(0)],
  [
    'a new operation',
    'operator',
    'paths',
    (old: Record<string, unknown>) => ({ ...old, [`${Object.keys(old)[0]}/x`]: Object.values(old)[0] }),
  ],
  [
    'a new event',
    'partner',
    'webhooks',
    (old: Record<string, unknown>) => ({ ...old, 'profile.seen': old['profile.viewed'] }),
  ],
  [
    'a new type in a body of events',
    'partner',
    'AuthorizationEvent > properties > type > enum',
    plus('authorization.paused'),
  ],
  ['a new type of event in a list', 'operator', 'EventType > enum', plus('authorization.paused')],
  ['a new error code', 'partner', 'ErrorCode > enum', plus('paused')],
  ['a new error code of an operation', 'partner', `CredentialsRefused > ${CODES}`, plus('token_used')],
  ['a new error status', 'partner', 'inquire > responses', merged({ 502: FAILED })],
  [
    'a new optional field of a request',
    'partner',
    'TokenRequest > properties',
    merged({ nonce: { type: 'string' } }),
  ],
  [
    'a new optional parameter',
    'operator',
    'listPartners > parameters',
    plus({ name: 'region', in: 'query', schema: {} }),
  ],
  [
    'a new header of a response',
    'partner',
    'inquire > responses > 200 > headers',
    merged({ 'X-New': { schema: {} } }),
  ],
  [
    'a new header of an event',
    'partner',
    'profile.viewed > parameters',
    plus({ name: 'webhook-region', in: 'header', schema: {} }),
  ],
  [
    'a new media type of a request',
    'operator',
    'createPartner > requestBody > content',
    (old: Record<string, unknown>) => ({
      ...old,
      'application/x-www-form-urlencoded': old['application/json'],
    }),
  ],
  [
    'a new scheme beside the others',
    'partner',
    'components > securitySchemes',
    merged({ other: { type: 'http', scheme: 'basic' } }),
  ],
  ['another way to authenticate', 'partner', 'security', plus({ accessToken: [] })],
  [
    'a new scope of a flow',
    'operator',
    'operatorToken > flows > clientCredentials > scopes',
    merged({ 'other:read': 'Other.' }),
  ],
  ['a new server', 'citizen-app', 'servers', plus({ url: 'https://other.example' })],
  // More accepted, less sent
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
