// Requests that HTTP clients write in different ways with the same meaning.
import { type OperationId, routes } from '@tiwala/contract'
import { documentOf } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { documents } from '../contract-check/documents.ts'
import { errorBody } from '../kit/error-body.ts'
import { prepareRequest } from '../kit/prepared-request.ts'
import { type RawRequest, sendRaw } from '../kit/send-raw.ts'
import { startServiceForFile } from '../kit/test-service.ts'
import { validRequests } from '../kit/valid-requests.ts'

const IDS = Object.values(routes).flatMap((table) => Object.keys(table)) as OperationId[]
const routeOf = (id: OperationId) =>
  (routes[documentOf(id)] as Record<string, { method: string; path: string }>)[id]!
type WithBody = { requestBody?: { content: object } }

/** The content types that an operation accepts. */
function typesOf(id: OperationId): string[] {
  const { method, path } = routeOf(id)
  const { requestBody } = documents[documentOf(id)].paths[path]![method]! as WithBody
  return Object.keys(requestBody?.content ?? {})
}
const BODYLESS = IDS.filter((id) => !typesOf(id).length)

const service = await startServiceForFile()
const valid = await validRequests(service)

describe('Accept', () => {
  const ask = (headers: Record<string, string>) => {
    const { headers: credentials } = valid.get('readPartnerSelf')!
    return sendRaw(service.url, 'readPartnerSelf', { headers: { ...credentials, ...headers } })
  }
  test.each([
    '',
    '*/*',
    '*/*;q=0.1',
    'application/*',
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json;charset=UTF-8;q=0.9',
    'application/json; q=0.2; charset="utf-8"',
    'application/json; version=1',
    'application/json; profile="a;b, c=d"; q=1',
    'application/json;odata=verbose, text/plain, */*',
    'text/html;q=0.9, application/json;q=0.1',
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'application/vnd.api+json, application/json;charset=utf-8',
  ])('200: %s', async (Accept) => {
    expect((await ask({ Accept })).status).toBe(200)
  })
  test.each([
    'text/html',
    'text/*;charset=utf-8',
    'application/json;q=0',
    'application/json;charset=utf-8;q=0',
    'application/*;q=0.0',
    '*/*;q=0',
    'application/json;q=0, */*',
    'application/xml;x="application/json"',
    'json',
  ])('406: %s', async (Accept) => {
    expect(await errorBody(await ask({ Accept }))).toMatchObject({ status: 406, error: 'not_acceptable' })
  })
})

const JSON_TYPE = { 'Content-Type': 'application/json' }
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const NOTHING: [string, RawRequest][] = [
  ['nothing in chunks', { headers: CHUNKED }],
  ['nothing in chunks, as text', { headers: { ...CHUNKED, 'Content-Type': 'text/plain' } }],
  ['a length of 0, as JSON', { headers: { 'Content-Length': 0, ...JSON_TYPE } }],
  [
    'a length of 0, as bytes',
    { headers: { 'Content-Length': 0, 'Content-Type': 'application/octet-stream' } },
  ],
  ['white space', { body: [' \r\n'] }],
]
const NOTHING_OF_A_TYPE: [string, RawRequest][] = [
  ['nothing in chunks, as JSON', { headers: { ...CHUNKED, ...JSON_TYPE } }],
  [
    'nothing in chunks, as a form',
    { headers: { ...CHUNKED, 'Content-Type': 'application/x-www-form-urlencoded' } },
  ],
  ['white space, as JSON', { headers: JSON_TYPE, body: [' \r\n'] }],
]
const JSON_WITHOUT_TYPE: [string, RawRequest] = ['JSON without a type', { body: ['{"a":1}'] }]
const EMPTY_JSON: [string, RawRequest][] = [
  ['{} without a type', { body: ['{}'] }],
  ['{} in chunks without a type', { body: ['{', '}'] }],
  ['null without a type', { body: ['null\n'] }],
]
const EMPTY_JSON_WITH_TYPE: [string, RawRequest][] = [
  ['{}', { headers: JSON_TYPE, body: ['{}'] }],
  ['null in chunks', { headers: JSON_TYPE, body: ['nu', 'll'] }],
]

/**
 * Sends a request with another kind of body, and with a fault that the server finds after it has read the
 * body, so that nothing changes.
 */
async function sendWith(id: OperationId, { headers, body = [] }: RawRequest) {
  const { headers: credentials, path = {} } = valid.get(id)!
  const response = await sendRaw(service.url, id, {
    headers: { ...credentials, ...headers },
    path,
    query: 'unheard_of=1',
    body,
  })
  const { status, error, errors = {} } = await errorBody(response)
  return { status, error, fields: Object.keys(errors) }
}

describe.each(BODYLESS)('%s takes no body', (id) => {
  test.each([...NOTHING, ...NOTHING_OF_A_TYPE, ...EMPTY_JSON, ...EMPTY_JSON_WITH_TYPE])(
    '%s is ignored',
    async (_what, sent) => {
      expect(await sendWith(id, sent)).toEqual({
        status: 422,
        error: 'validation_failed',
        fields: ['unheard_of'],
      })
    },
  )
})

describe.each(BODYLESS.filter((id) => routeOf(id).method !== 'get'))('%s takes no body', (id) => {
  test('415: text without a type, or of a type that is not read', async () => {
    const refused = { status: 415, error: 'unsupported_media_type', fields: [] }
    expect(await sendWith(id, { body: ['{"a":1}'] })).toEqual(refused)
    expect(await sendWith(id, { headers: { 'Content-Type': 'text/plain' }, body: ['{', '}'] })).toEqual(
      refused,
    )
  })
})

describe.each(IDS.filter((id) => typesOf(id).length))('%s needs its body', (id) => {
  test.each(NOTHING)('422: %s', async (_what, sent) => {
    expect(await sendWith(id, sent)).toEqual({ status: 422, error: 'validation_failed', fields: ['body'] })
  })
  test.each(NOTHING_OF_A_TYPE)(
    '422, or 415 if the operation does not accept the type: %s',
    async (_what, sent) => {
      expect((await sendWith(id, sent)).status).toBe(
        typesOf(id).includes(String(sent.headers!['Content-Type'])) ? 422 : 415,
      )
    },
  )
  test.each([...EMPTY_JSON, JSON_WITHOUT_TYPE])('415: %s', async (_what, sent) => {
    expect(await sendWith(id, sent)).toEqual({ status: 415, error: 'unsupported_media_type', fields: [] })
  })
})

describe.each(['authenticate', 'cancelAuthorization'] as const)('%s', (id) => {
  test.each([...NOTHING, ...NOTHING_OF_A_TYPE, ...EMPTY_JSON])(
    '200: %s',
    async (_what, { headers, body }) => {
      const call = await prepareRequest(service, id)
      const response = await sendRaw(service.url, id, {
        headers: { ...call.headers, ...headers },
        path: call.path ?? {},
        body: body ?? [],
      })
      expect(response.status).toBe(200)
    },
  )
})
