import type { OperationId } from '@tiwala/contract'
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { partOf, responseOf } from './documents.ts'
import { checkResponse, type Received } from './responses.ts'

const REQUEST_ID = 'req_5Hb2pYJ7Qn0sVtXw8RkZc1'
const ALWAYS = {
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  date: 'Mon, 23 Nov 2026 00:00:00 GMT',
  'x-request-id': REQUEST_ID,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01',
}

type Body = Record<string, unknown>
type Change = { status?: number; headers?: Record<string, string | undefined>; body?: Body | string }

/** A response of an operation, with headers that a test adds, changes or (`undefined`) leaves out. */
function receive(id: OperationId, status: number, good: Change, bad: Change): Received {
  const { method, path } = locate(id)
  const headers = Object.entries({ ...ALWAYS, ...good.headers, ...bad.headers })
  const body =
    typeof bad.body === 'string' ? bad.body : JSON.stringify({ ...(good.body as Body), ...bad.body })
  return {
    method,
    pathname: path.replaceAll(/\{\w+\}/g, 'x'),
    status: bad.status ?? status,
    headers: new Map(headers.filter((header): header is [string, string] => header[1] !== undefined)),
    body,
  }
}

const HELP = { link: '<http://localhost:8080/errors/code>; rel="help"' }
const refusal = (status: number, error: string, headers: Record<string, string> = {}) => ({
  body: { status, message: 'No.', error, request_id: REQUEST_ID },
  headers: { ...HELP, ...headers },
})
/** The example of the document. */
const exampleOf = (id: OperationId, name: string) =>
  partOf(responseOf(id, 200)!, 'content', 'application/json', 'examples', name)!.value['value'] as Body
const DIAGNOSIS = exampleOf('readDiagnosis', 'used')
const GOOD = {
  pending: {
    body: exampleOf('inquire', 'pending'),
    headers: {
      'x-authorization-state': 'PENDING',
      'x-authorization-expires-at': '2026-11-20T08:05:00.000Z',
      'x-time-zone': 'Asia/Manila',
      'retry-after': '2',
    },
  },
  diagnosis: { body: DIAGNOSIS },
  unknown: refusal(404, 'tracking_no_not_found'),
  limited: refusal(429, 'rate_limited', { 'retry-after': '7' }),
  unauthorized: refusal(401, 'token_invalid', { 'www-authenticate': 'Bearer error="invalid_token"' }),
} satisfies Record<string, Change>

describe.each<[OperationId, number, Change, [what: string, bad: Change, found: string][]]>([
  [
    'inquire',
    200,
    GOOD.pending,
    [
      ['no X-Request-Id', { headers: { 'x-request-id': undefined } }, 'x-request-id is missing'],
      ['no traceparent', { headers: { traceparent: undefined } }, 'traceparent is missing'],
      ['another X-Request-Id', { headers: { 'x-request-id': 'req_1' } }, 'x-request-id is req_1'],
      [
        'two X-Request-Id',
        { headers: { 'x-request-id': `${REQUEST_ID}, ${REQUEST_ID}` } },
        'must match pattern',
      ],
      ['no state', { headers: { 'x-authorization-state': undefined } }, 'x-authorization-state is missing'],
      ['an unknown state', { headers: { 'x-authorization-state': 'pending' } }, 'allowed values'],
      [
        'an undocumented header',
        { headers: { 'x-powered-by': 'Express' } },
        'x-powered-by is not documented',
      ],
      [
        'another date',
        { headers: { 'x-authorization-expires-at': '2026-11-20 8:05' } },
        'format "date-time"',
      ],
      ['a Retry-After that is no integer', { headers: { 'retry-after': '1e1' } }, 'must be integer'],
      ['a Retry-After below 0', { headers: { 'retry-after': '-1' } }, 'must be >= 0'],
      ['a wrong Preference-Applied', { headers: { 'preference-applied': 'wait=' } }, 'does not match'],
      [
        'no charset',
        { headers: { 'content-type': 'application/json' } },
        'content type is "application/json"',
      ],
      [
        'another charset',
        { headers: { 'content-type': 'application/json; charset=latin1' } },
        'content type',
      ],
      ['no content type', { headers: { 'content-type': undefined } }, 'content type is ""'],
      ['an undocumented status', { status: 202 }, 'inquire 202: the status is not documented'],
      ['a body with an extra field', { body: { extra: 1 } }, 'must NOT have additional properties'],
      ['a body without a field', { body: { data: undefined } }, "must have required property 'data'"],
      ['a body of another status', { body: { status: 201 } }, 'must be equal to constant'],
      ['a body that is not JSON', { body: '<html>' }, 'the body is <html>'],
      ['no body', { body: '' }, 'the body is '],
    ],
  ],
  [
    'readDiagnosis',
    200,
    GOOD.diagnosis,
    [
      [
        'a time of another format',
        { body: { data: { ...(DIAGNOSIS['data'] as Body), occurred_at: 'yesterday' } } },
        'must match format "date-time"',
      ],
    ],
  ],
  [
    'inquire',
    404,
    GOOD.unknown,
    [
      ['a code of another response', { body: { error: 'not_found' } }, 'must be equal to one of'],
      ['an unknown code', { body: { error: 'gone' } }, 'must be equal to one of'],
      ['another status', { status: 410 }, 'must be equal to constant'],
      ['another request_id', { body: { request_id: 'req_0000000000000000000000' } }, 'and request_id req_0'],
      ['an extra field', { body: { stack: 'Error' } }, 'must NOT have additional properties'],
      ['errors without a reason', { body: { errors: { field: [] } } }, 'must NOT have fewer than 1 items'],
      [
        'a header of the success',
        { headers: { 'x-time-zone': 'Asia/Manila' } },
        'x-time-zone is not documented',
      ],
      ['a challenge', { headers: { 'www-authenticate': 'Bearer' } }, 'www-authenticate is not documented'],
    ],
  ],
  [
    'inquire',
    429,
    GOOD.limited,
    [
      ['no Retry-After', { headers: { 'retry-after': undefined } }, 'retry-after is missing'],
      ['Retry-After: 0', { headers: { 'retry-after': '0' } }, 'must be >= 1'],
    ],
  ],
  [
    'authenticate',
    401,
    GOOD.unauthorized,
    [
      ['no WWW-Authenticate', { headers: { 'www-authenticate': undefined } }, 'www-authenticate is missing'],
      [
        'a malformed one',
        { headers: { 'www-authenticate': 'Bearer error=invalid token' } },
        'does not match',
      ],
    ],
  ],
])('%s %i', (id, status, good, cases) => {
  test('a good response passes, and shows its status, media type, headers and error code', () => {
    const { violations, facts } = checkResponse(receive(id, status, good, {}))
    const { error } = good.body as { error?: string }
    expect(violations).toEqual([])
    expect(facts.slice(0, error ? 3 : 2)).toEqual([
      `${id} ${status}`,
      `${id} ${status} type application/json`,
      ...(error ? [`${id} ${status} error ${error}`] : []),
    ])
    expect(facts).toContain(`${id} ${status} header X-Request-Id`)
  })

  test.each(cases)('found: %s', (_what, bad, found) => {
    expect(checkResponse(receive(id, status, good, bad)).violations.join('\n')).toContain(found)
  })
})

describe('a request that is for no operation', () => {
  const { path } = locate('inquire')
  const refuse = (
    status: number,
    error: string,
    headers: Record<string, string | undefined> = {},
    statusInBody = status,
  ) => {
    const received = receive('inquire', status, refusal(statusInBody, error), { headers })
    return checkResponse({ ...received, method: 'PATCH' }).violations
  }

  test('a good refusal passes', () => {
    expect([refuse(404, 'not_found'), refuse(405, 'method_not_allowed', { allow: 'GET, POST' })]).toEqual([
      [],
      [],
    ])
  })

  test('found: a success, no Allow, another status or content type, no X-Request-Id', () => {
    expect(refuse(200, 'not_found').join()).toContain('must be >= 400')
    expect(refuse(404, 'not_found', {}, 405)).toContain(`PATCH ${path} 404: the status in the body is 405`)
    expect(refuse(405, 'method_not_allowed')).toEqual([`PATCH ${path} 405: the header allow is missing`])
    expect(refuse(404, 'not_found', { 'content-type': 'text/html' })).toHaveLength(1)
    expect(refuse(404, 'not_found', { 'x-request-id': undefined })).toHaveLength(2)
  })
})
