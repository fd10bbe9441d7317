import { type Edit, withKeys, withItems, replacedBy } from './edits.ts'

const CODES = 'content > application/json > schema > allOf > 1 > properties > error > enum'
const FAILED = { $ref: '#/components/responses/InternalError' }

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

/** Additions that no caller has to notice. */
export const ADDITIONS: Edit[] = [
  [
    'a link of a response',
    'partner',
    'readDiagnosis > responses > 200 > links',
    replacedBy({ next: { operationId: 'inquire' } }),
  ],
  [
    'a new type in a stream',
    'citizen-app',
    'CitizenEvent > properties > type > enum',
    withItems('authorization.paused'),
  ],
  [
    'a new type in an event without a component',
    'partner',
    'webhook.test > requestBody > content > application/json > schema',
    replacedBy(TEST_OR_PAUSED),
  ],
  ['a default of a response', 'partner', 'Profile > properties > country_id > default', replacedBy(0)],
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
    withItems('authorization.paused'),
  ],
  ['a new type of event in a list', 'operator', 'EventType > enum', withItems('authorization.paused')],
  ['a new error code', 'partner', 'ErrorCode > enum', withItems('paused')],
  ['a new error code of an operation', 'partner', `CredentialsRefused > ${CODES}`, withItems('token_used')],
  ['a new error status', 'partner', 'inquire > responses', withKeys({ 502: FAILED })],
  [
    'a new optional field of a request',
    'partner',
    'TokenRequest > properties',
    withKeys({ nonce: { type: 'string' } }),
  ],
  [
    'a new optional parameter',
    'operator',
    'listPartners > parameters',
    withItems({ name: 'region', in: 'query', schema: {} }),
  ],
  [
    'a new header of a response',
    'partner',
    'inquire > responses > 200 > headers',
    withKeys({ 'X-New': { schema: {} } }),
  ],
  [
    'a new header of an event',
    'partner',
    'profile.viewed > parameters',
    withItems({ name: 'webhook-region', in: 'header', schema: {} }),
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
    withKeys({ other: { type: 'http', scheme: 'basic' } }),
  ],
  [
    'a new scope of a flow',
    'operator',
    'operatorToken > flows > clientCredentials > scopes',
    withKeys({ 'other:read': 'Other.' }),
  ],
  [
    'an address for refreshing tokens',
    'operator',
    'operatorToken > flows > clientCredentials > refreshUrl',
    replacedBy('https://provider.example/refresh'),
  ],
  [
    'the same server for one operation',
    'partner',
    'inquire > servers',
    replacedBy([{ url: 'http://localhost:8080' }]),
  ],
  ['a new server', 'citizen-app', 'servers', withItems({ url: 'https://other.example' })],
]
