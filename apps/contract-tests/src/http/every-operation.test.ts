import type { OperationId, Schemas } from '@tiwala/contract'
import { documentOf, OPERATION_IDS } from '@tiwala/kit/operations'
import { operations } from '@tiwala/server/operations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bodySchemaOf,
  documentedStatuses,
  parametersOf,
  type Part,
  partOf,
} from '../contract-check/documents.ts'
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

/** Headers that the pipeline reads for every operation which has them. Tests below prove the key. */
const OF_PIPELINE = new Set(['traceparent', 'X-Csrf-Token', 'X-Partner-Code', 'Idempotency-Key'])

/** The parameters and the fields of a JSON body that a request may omit, also in objects: `limits.per_day`. */
const optionalNamesOf = (id: OperationId): string[] => [
  ...parametersOf(id)
    .filter(({ value }) => !value['required'] && !OF_PIPELINE.has(String(value['name'])))
    .map(({ value }) => String(value['name'])),
  ...optionalFieldsOf(bodySchemaOf(id, 'application/json')),
]

function optionalFieldsOf(schema: Part | undefined, prefix = ''): string[] {
  const branches = ['anyOf', 'oneOf'].flatMap((key) => (schema ? itemsOf(schema, key) : []))
  const parts = schema ? [schema, ...withAllOf(schema)] : []
  const required = new Set(parts.flatMap(({ value }) => (value['required'] ?? []) as string[]))
  const own = parts.flatMap((part) =>
    Object.keys(part.value['properties'] ?? {}).flatMap((name) => [
      ...(required.has(name) ? [] : [prefix + name]),
      ...optionalFieldsOf(partOf(part, 'properties', name), `${prefix}${name}.`),
    ]),
  )
  return [...new Set([...own, ...branches.flatMap((branch) => optionalFieldsOf(branch, prefix))])]
}

const withAllOf = (schema: Part): Part[] =>
  itemsOf(schema, 'allOf').flatMap((part) => [part, ...withAllOf(part)])
const itemsOf = (schema: Part, key: string): Part[] =>
  Object.keys(schema.value[key] ?? {}).map((index) => partOf(schema, key, index)!)

/** What each operation reads of its query, body and headers. `limits.*`: a copy of all that `limits` has. */
const reads = Object.fromEntries(OPERATION_IDS.map((id) => [id, new Set<string>()]))

function watchReads(id: OperationId): void {
  /** The name whose value a copy is about to read. */
  let copied: unknown
  const policy = operations[id] as { run: (service: never, call: never) => Promise<unknown> }
  const watched = (value: unknown, prefix = ''): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Proxy(value, {
          get: (target, name) => {
            if (copied !== name) reads[id]!.add(prefix + String(name))
            copied = undefined
            return watched(Reflect.get(target, name), `${prefix}${String(name)}.`)
          },
          getOwnPropertyDescriptor: (target, name) => {
            copied = name
            return Reflect.getOwnPropertyDescriptor(target, name)
          },
          ownKeys: (target) => (reads[id]!.add(`${prefix}*`), Reflect.ownKeys(target)),
        })
      : value
  const { run } = policy
  policy.run = (service, call) => {
    const { query, body, header, ...rest } = call as {
      query: unknown
      body: unknown
      header: (name: string) => string | undefined
    }
    return run(service, {
      ...rest,
      query: watched(query),
      body: watched(body),
      header: (name: string) => (reads[id]!.add(name), header(name)),
    } as never)
  }
}
OPERATION_IDS.forEach(watchReads)

const takes = (id: OperationId, header: string) =>
  parametersOf(id).some(({ value }) => value['name'] === header)
const withKey = (id: OperationId) => ({
  ...prepared.call(id).headers,
  ...(takes(id, 'Idempotency-Key') && { 'Idempotency-Key': `key-of-${id}` }),
})

/**
 * What an operation takes in a copy of its query or body, whose reads cannot be watched. Other tests prove that these
 * names have an effect: write a further name here only with such a test.
 */
const COPIED: Partial<Record<OperationId, string[]>> = {
  changePartner: ['limits.views_per_minute', 'limits.tokens_per_minute', 'limits.sign_ins_per_minute'],
  listAuditEvents: ['kind', 'partner_code', 'actor'],
  changeSettings: ['sso_url', 'ip_allow_list', 'redirect_uris', 'keys', 'jwks_url'],
}
const isCopied = (id: OperationId, name: string) => name === 'reason' || COPIED[id]?.includes(name)

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
      const refused = await prepared.send(id, { headers })
      expect(refused).toMatchObject({
        status: 401,
        error: 'token_expired',
        message: 'The token has expired',
      })
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    })
  })

  // A checkpoint has a number.
  const named = documenting(404).filter((id) => documentOf(id) === 'operator' && id !== 'readCheckpoint')
  describe.each(named)('%s', (id) => {
    test('404: an unknown id in the path', async () => {
      const names = Object.keys(prepared.call(id).path!)
      const path = Object.fromEntries(names.map((name) => [name, 'UNKNOWN']))
      expect(await prepared.send(id, { path })).toMatchObject({
        status: 404,
        error: id === 'findAuthorizations' ? 'tracking_no_not_found' : 'not_found',
      })
    })
  })

  test.each([
    'disputeDisclosure',
    'issueQrCode',
    'readPreferences',
    'replacePreferences',
    'streamEvents',
  ] as const)('404: %s of a citizen that the registry does not know', async (id) => {
    const unknown = await prepared.service.unknownCitizenHeaders()
    const headers = { ...prepared.call(id).headers, ...unknown }
    expect(await prepared.send(id, { headers })).toMatchObject({ status: 404, error: 'not_found' })
  })

  describe.each(OPERATION_IDS.filter((id) => takes(id, 'If-Match')))('%s', (id) => {
    test('412: an If-Match with another ETag', async () => {
      const headers = { ...prepared.call(id).headers, 'If-Match': `"${'0'.repeat(32)}"` }
      expect(await prepared.send(id, { headers })).toMatchObject({
        status: 412,
        error: 'precondition_failed',
      })
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

  const succeeds = (id: OperationId) => {
    const success = documentedStatuses(id).find((status) => status < 300)!
    test(`${success}: after all these refusals the request still succeeds`, async () => {
      expect(await prepared.send(id, { headers: withKey(id) })).toMatchObject({ status: success })
    })
  }
  describe.each(IDS_WITHOUT_RESTORE)('%s', (id) => {
    succeeds(id)
  })

  describe.each(OPERATION_IDS.filter((id) => takes(id, 'Idempotency-Key')))('%s', (id) => {
    test('422: the Idempotency-Key of another request', async () => {
      expect(await prepared.send(id, { headers: withKey(id), query: 'reason=Other' })).toMatchObject({
        status: 422,
        error: 'idempotency_key_reused',
      })
    })
  })

  // It ends every session.
  describe.each(['completeRestore'] as const)('%s', (id) => {
    succeeds(id)
  })

  // Which fields `replayChange` reads depends on the kind of the change.
  describe.each(OPERATION_IDS.filter((id) => id !== 'replayChange'))('%s', (id) => {
    test('reads each name that a request may omit', () => {
      const isRead = (name: string) =>
        reads[id]!.has(name) || (isCopied(id, name) && reads[id]!.has(name.replace(/[^.]*$/, '*')))
      expect(optionalNamesOf(id).filter((name) => !isRead(name))).toEqual([])
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
