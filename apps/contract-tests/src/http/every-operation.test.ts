import type { OperationId, Schemas } from '@tiwala/contract'
import { documentOf, OPERATION_IDS } from '@tiwala/kit/operations'
import { operations } from '@tiwala/server/operations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodySchemaOf, documentedStatuses, parametersOf } from '../contract-check/documents.ts'
import { IDS_WITHOUT_RESTORE } from '../fuzz/base-requests.ts'
import { bodyOf } from '../kit/body-forms.ts'
import { startTestService, type TestService } from '../kit/test-service.ts'
import { type RequestParts, validRequests } from '../kit/valid-requests.ts'

const documenting = (status: number) => OPERATION_IDS.filter((id) => documentedStatuses(id).includes(status))
type Sent = RequestParts & { raw?: string }

/** A test service, and a valid request for every operation. */
async function prepare() {
  const service = await startTestService({})
  const calls = await validRequests(service)
  return {
    service,
    send: (id: OperationId, change: Partial<Sent> = {}) =>
      send(service, id, { ...calls.get(id)!, ...change }),
    call: (id: OperationId) => calls.get(id)!,
  }
}

async function send(service: TestService, id: OperationId, sent: Sent) {
  const { headers, query, path } = sent
  const { body, headers: type } = bodyOf(sent)
  const init = {
    headers: { ...type, ...headers },
    ...(query && { query }),
    ...(path && { path }),
    ...(body && { body }),
  }
  const response = await service.send(id, init)
  const isStream = response.headers.get('content-type')!.startsWith('text/event-stream')
  if (isStream) await response.body!.cancel()
  const { error, ...rest } = (isStream ? {} : await response.json()) as Partial<Schemas['Error']>
  return { ...rest, status: response.status, error, headers: response.headers }
}

/** The parameters of the query and the fields of a JSON body that a request may omit. The pipeline reads headers. */
function optionalNamesOf(id: OperationId): string[] {
  const parameters = parametersOf(id).filter(({ value }) => value['in'] === 'query' && !value['required'])
  const { properties = {}, required = [] } = (bodySchemaOf(id, 'application/json')?.value ?? {}) as {
    properties?: object
    required?: string[]
  }
  return [
    ...parameters.map(({ value }) => String(value['name'])),
    ...Object.keys(properties).filter((name) => !required.includes(name)),
  ]
}

/** What each operation reads of its query and body. A copy of the whole reads every name. */
const reads = Object.fromEntries(OPERATION_IDS.map((id) => [id, new Set<unknown>()]))
const ALL = Symbol('all names')

function watchReads(id: OperationId): void {
  const policy = operations[id] as { run: (service: never, call: never) => Promise<unknown> }
  const watched = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Proxy(value, {
          get: (target, name) => (reads[id]!.add(name), Reflect.get(target, name)),
          ownKeys: (target) => (reads[id]!.add(ALL), Reflect.ownKeys(target)),
        })
      : value
  const { run } = policy
  policy.run = (service, call) => {
    const { query, body, ...rest } = call as { query: unknown; body: unknown }
    return run(service, { ...rest, query: watched(query), body: watched(body) } as never)
  }
}
OPERATION_IDS.forEach(watchReads)

let prepared: Awaited<ReturnType<typeof prepare>>
beforeAll(async () => void (prepared = await prepare()))
afterAll(() => prepared.service.close())

describe('every operation refuses requests that break the contract, and uses nothing', () => {
  describe.each(OPERATION_IDS)('%s', (id) => {
    test('400: a repeated parameter', async () => {
      expect(await prepared.send(id, { query: 'twice=1&twice=2' })).toMatchObject({
        status: 400,
        error: 'malformed_request',
      })
    })
    test('406: Accept without JSON', async () => {
      const { headers } = prepared.call(id)
      expect(await prepared.send(id, { headers: { ...headers, Accept: 'text/html' } })).toMatchObject({
        status: 406,
        error: 'not_acceptable',
      })
    })
    test('422: the error names an unknown query parameter', async () => {
      const query = [prepared.call(id).query, 'unheard_of=1'].filter(Boolean).join('&')
      expect(await prepared.send(id, { query })).toMatchObject({
        status: 422,
        error: 'validation_failed',
        errors: { unheard_of: [expect.any(String)] },
      })
    })
  })

  describe.each(documenting(401))('%s', (id) => {
    test('401: no credentials', async () => {
      const { status, error } = await prepared.send(id, { headers: {} })
      expect([status, error]).toEqual([
        401,
        expect.stringMatching(/^(credentials|token)_missing$|^session_required$/),
      ])
    })
    test('401: credentials of the wrong kind', async () => {
      const headers = {
        Authorization: 'Basic bearer',
        'X-Secret-Code': 'x',
        'X-Secret-Token': 'bearer',
      }
      const { status, error } = await prepared.send(id, { headers })
      expect([status, error]).toEqual([
        401,
        expect.stringMatching(/^(credentials|token)_invalid$|^session_required$/),
      ])
    })
  })

  describe.each(OPERATION_IDS.filter((id) => documentOf(id) !== 'partner'))('%s', (id) => {
    test('401: a token that has expired', async () => {
      const { tokens } = prepared.service
      const [document, expiry] = [documentOf(id), '1s ago']
      const token = await (document === 'workbench'
        ? tokens.member('admin@sandbox.example', expiry)
        : document === 'operator'
          ? tokens.operator(undefined, expiry)
          : tokens.citizen('ANY', expiry))
      const headers = { ...prepared.call(id).headers, Authorization: `Bearer ${token}` }
      expect(await prepared.send(id, { headers })).toMatchObject({ status: 401, error: 'token_expired' })
    })
  })

  describe.each(documenting(413))('%s', (id) => {
    test('413: a body over 16 KiB', async () => {
      expect(await prepared.send(id, { fields: { long: 'x'.repeat(17_000) } })).toMatchObject({
        status: 413,
        error: 'payload_too_large',
      })
    })
  })

  describe.each(documenting(415))('%s', (id) => {
    test('415: a body of a type the service does not read', async () => {
      const { headers } = prepared.call(id)
      expect(
        await prepared.send(id, { headers: { ...headers, 'Content-Type': 'text/plain' }, raw: 'text' }),
      ).toMatchObject({
        status: 415,
        error: 'unsupported_media_type',
      })
    })
  })

  // It ends every session.
  describe.each([...IDS_WITHOUT_RESTORE, 'completeRestore' as const])('%s', (id) => {
    const success = documentedStatuses(id).find((status) => status < 300)!
    test(`${success}: after all these refusals the request still succeeds`, async () => {
      expect(await prepared.send(id)).toMatchObject({ status: success })
    })
  })

  // Which fields `replayChange` reads depends on the kind of the change.
  describe.each(OPERATION_IDS.filter((id) => id !== 'replayChange'))('%s', (id) => {
    test('reads each name that a request may omit', () => {
      const ignored = optionalNamesOf(id).filter((name) => !reads[id]!.has(name))
      expect(reads[id]!.has(ALL) ? [] : ignored).toEqual([])
    })
  })
})

describe('every operation limits wrong credentials', () => {
  let strict: TestService
  beforeAll(async () => {
    strict = await startTestService({ TIWALA_REFUSED_CREDENTIALS_PER_MINUTE: '1' })
  })
  afterAll(() => strict.close())

  describe.each(OPERATION_IDS)('%s', (id) => {
    test('429: rate_limited with Retry-After', async () => {
      // The credentials belong to another service.
      await send(strict, id, prepared.call(id))
      const { status, error, headers } = await send(strict, id, prepared.call(id))
      expect([status, error]).toEqual([429, 'rate_limited'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    })
  })
})

/** Only for a browser does the service read the own session from the database. */
const browserOf = (id: OperationId) =>
  ['readOwnSession', 'endOwnSession'].includes(id)
    ? { headers: { Cookie: `tiwala-console=${'A'.repeat(43)}` } }
    : {}

describe('every operation hides the details of an internal error', () => {
  beforeAll(() => prepared.service.breakSchema())

  describe.each(OPERATION_IDS)('%s', (id) => {
    test('500: internal_error', async () => {
      expect(await prepared.send(id, browserOf(id))).toMatchObject({
        status: 500,
        error: 'internal_error',
        message: 'The service failed. Send the request again.',
      })
    })
  })
})

describe('every operation reports that the database is unavailable', () => {
  beforeAll(() => prepared.service.loseDatabase())

  describe.each(OPERATION_IDS)('%s', (id) => {
    test('503: unavailable with Retry-After', async () => {
      const { status, error, headers } = await prepared.send(id, browserOf(id))
      expect([status, error]).toEqual([503, 'unavailable'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    })
  })
})
