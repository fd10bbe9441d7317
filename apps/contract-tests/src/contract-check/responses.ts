import type { OperationId } from '@tiwala/contract'
import { basePathOf, documentOf, locate, OPERATION_IDS } from '@tiwala/kit/operations'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import {
  errorsOf,
  parseJson,
  type Part,
  partOf,
  responseOf,
  validatorsOf,
  wholeDocument,
} from './documents.ts'
import { fact, type Findings } from './facts.ts'
import { type HeaderRule, headerRule, headerViolations } from './headers.ts'

export type Received = {
  method: string
  pathname: string
  status: number
  /** With lower-case names. */
  headers: Map<string, string>
  /** `undefined`: the body was not read, because it is a stream or the response has none. */
  body: string | undefined
}

type Expected = {
  /** The documented media type by the value of `Content-Type`, with the validators that a stream has not. */
  bodies: Map<string, { type: string; validators?: ValidateFunction[] }>
  headers: Map<string, HeaderRule>
}

/** The media types of the documents as the service sends them: with their parameters, if they have any. */
const SENT_AS: Record<string, string> = {
  'application/json': 'application/json; charset=utf-8',
  'text/event-stream': 'text/event-stream; charset=utf-8',
}

const ROUTES = OPERATION_IDS.map((id) => {
  const { method, path } = locate(id)
  return { id, method, path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
})
/** A path without parameters comes before one with them, also for a method that it has not. */
const FIXED_PATHS = new Set(ROUTES.map(({ path }) => path).filter((path) => !path.includes('{')))
/** What the paths of the API begin with: the base path of a document, or the first segment. */
const API = new Set(
  OPERATION_IDS.map((id) => basePathOf(documentOf(id)) || locate(id).path.split('/', 2).join('/')),
)

export const isOfApi = (pathname: string): boolean =>
  [...API].some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`))

/** Checks a response of the API. */
export function checkResponse(received: Received): Findings {
  const { method, pathname, status } = received
  const called = ROUTES.find(
    (route) =>
      route.method === method &&
      (FIXED_PATHS.has(pathname) ? route.path === pathname : route.pattern.test(pathname)),
  )
  if (called) return checkOperation(called.id, received)
  const isPreflight = method === 'OPTIONS' && status === 204
  if (isPreflight) return { violations: [], facts: [] }
  const { violations } = check(received, status === 405 ? METHOD_NOT_ALLOWED : NO_OPERATION)
  return { violations: violations.map((what) => `${method} ${pathname} ${status}: ${what}`), facts: [] }
}

function checkOperation(id: OperationId, received: Received): Findings {
  const { status, body } = received
  const expected = expectedOf(id, status)
  if (!expected)
    return { violations: [`${id} ${status}: the status is not documented; the body is ${body}`], facts: [] }
  const { violations, present, type, code } = check(received, expected)
  return {
    violations: violations.map((what) => `${id} ${status}: ${what}`),
    facts: [
      fact.status(id, status),
      ...(type ? [fact.mediaType(id, status, type)] : []),
      ...(code ? [fact.code(id, status, code)] : []),
      ...present.map((name) => fact.header(id, status, name)),
    ],
  }
}

function check({ status, headers, body }: Received, expected: Expected) {
  const { violations, present } = headerViolations(expected.headers, headers)
  const contentType = headers.get('content-type') ?? ''
  const { type, validators } = expected.bodies.get(contentType) ?? {}
  if (!type) violations.push(`the content type is ${JSON.stringify(contentType)}`)
  if (body === undefined || !validators) return { violations, present, type }
  const parsed = parseJson(body)
  const refusing = validators.find((validate) => !validate(parsed))
  if (refusing) violations.push(`${errorsOf(refusing)}; the body is ${body}`)
  if (status < 400) return { violations, present, type }
  const refusal = (parsed ?? {}) as { status?: number; error?: string; request_id?: string }
  if (refusal.status !== status) violations.push(`the status in the body is ${refusal.status}`)
  if (refusal.request_id !== headers.get('x-request-id'))
    violations.push(`X-Request-Id is ${headers.get('x-request-id')}, and request_id ${refusal.request_id}`)
  return { violations, present, type, code: refusal.error }
}

const cache = new Map<string, Expected | undefined>()
function expectedOf(id: OperationId, status: number): Expected | undefined {
  const key = `${id} ${status}`
  if (!cache.has(key)) {
    const response = responseOf(id, status)
    cache.set(key, response && readExpected(response))
  }
  return cache.get(key)
}

function readExpected(response: Part): Expected {
  const namesOf = (key: string) => Object.keys(partOf(response, key)?.value ?? {})
  return {
    bodies: new Map(
      namesOf('content').map((type) => {
        const schema = partOf(response, 'content', type, 'schema')!
        const isStream = type === 'text/event-stream'
        return [SENT_AS[type] ?? type, isStream ? { type } : { type, validators: validatorsOf(schema) }]
      }),
    ),
    headers: new Map(
      namesOf('headers').map((name) => [
        name.toLowerCase(),
        headerRule(name, partOf(response, 'headers', name)!),
      ]),
    ),
  }
}

const COMPONENTS = partOf(wholeDocument('partner'), 'components')!
const ERROR = { type: 'application/json', validators: validatorsOf(partOf(COMPONENTS, 'schemas', 'Error')!) }
/** The refusal of a request that is for no operation: like one that does not depend on the operation. */
const NO_OPERATION: Expected = {
  bodies: new Map([[SENT_AS[ERROR.type]!, ERROR]]),
  headers: readExpected(partOf(COMPONENTS, 'responses', 'MalformedRequest')!).headers,
}
/** No document can describe this response: it is for a method that no document names. */
const METHOD_NOT_ALLOWED: Expected = {
  bodies: NO_OPERATION.bodies,
  headers: new Map([
    ...NO_OPERATION.headers,
    ['allow', { name: 'Allow', isRequired: true, problemOf: methodsProblem }],
  ]),
}

function methodsProblem(value: string): string | undefined {
  return /^[A-Z]+(, [A-Z]+)*$/.test(value) ? undefined : 'it lists no methods'
}
