// One request of a partner, from which the sample of each language is written.
import { ADDED_BY_TRACING } from '../flat-document.ts'
import type { Json } from '../flat-schemas.ts'

/** The value of `Prefer: wait`. The server replaces it by its setting, wherever a sample has it. */
export const MAX_WAIT_SECONDS = 25
/** How much longer than the server a program waits, so that it gets the response of a long wait. */
const GRACE_SECONDS = 15

/** A text that contains the values of environment variables. */
export type Value = readonly (string | { env: string })[]

export type SampleRequest = {
  operationId: string
  /** In upper case. */
  method: string
  /** The address without the query. */
  url: Value
  query: readonly Field[]
  headers: readonly Field[]
  /** The fields of a form, if the request has a body. */
  form: readonly Field[] | undefined
  /** The time limit of the request in seconds, as an expression. */
  timeout: string
}
export type Field = readonly [name: string, value: Value]

/** The address that the server replaces by its own when it serves the document. */
export const BASE_URL = 'http://localhost:8080'

const CONSTANTS: Readonly<Record<string, string>> = {
  scope: 'SSO_AUTHENTICATION',
  Prefer: `wait=${MAX_WAIT_SECONDS}`,
}
/** Credentials have the names that the guides use. All other values have the name of their field. */
const VARIABLES: Readonly<Record<string, string>> = {
  partner_code: 'TIWALA_PARTNER_CODE',
  partner_secret: 'TIWALA_PARTNER_SECRET',
}
const CREDENTIALS: Readonly<Record<string, Field>> = {
  secretCode: ['X-Secret-Code', [{ env: 'TIWALA_SECRET_CODE' }]],
  secretToken: ['X-Secret-Token', [{ env: 'TIWALA_SECRET_TOKEN' }]],
  accessToken: ['Authorization', ['Bearer ', { env: 'ACCESS_TOKEN' }]],
}

type Schemes = readonly Record<string, unknown>[]
type Parameter = { name: string; in: string }

/** `resolve` follows a reference of the document. `security` is that of the document. */
export function sampleRequest(
  path: string,
  method: string,
  operation: Json,
  resolve: (value: Json) => Json,
  security: Schemes,
): SampleRequest {
  const declared = ((operation.parameters ?? []) as Json[]).map(resolve) as unknown as Parameter[]
  const parameters = declared.filter(({ name }) => name !== ADDED_BY_TRACING)
  const fieldsIn = (place: string) =>
    parameters.filter((each) => each.in === place).map(({ name }) => field(name))
  const body = operation.requestBody as { content: Record<string, { schema: Json }> } | undefined
  const schema = body && resolve(body.content['application/x-www-form-urlencoded']!.schema)
  const schemes = Object.keys(((operation.security ?? security) as Schemes)[0] ?? {})
  const headers = [...schemes.map((scheme) => CREDENTIALS[scheme]!), ...fieldsIn('header')]
  const canWait = headers.some(([name]) => name === 'Prefer')
  return {
    operationId: operation.operationId as string,
    method: method.toUpperCase(),
    url: `${BASE_URL}${path}`
      .split(/[{}]/)
      .filter(Boolean)
      .flatMap((part, index) => (index % 2 === 0 ? [part] : valueOf(part))),
    query: fieldsIn('query'),
    headers,
    form: schema && Object.keys(schema.properties as Json).map(field),
    timeout: canWait ? `${MAX_WAIT_SECONDS} + ${GRACE_SECONDS}` : String(GRACE_SECONDS),
  }
}

const field = (name: string): Field => [name, valueOf(name)]
const valueOf = (name: string): Value => [CONSTANTS[name] ?? { env: VARIABLES[name] ?? name.toUpperCase() }]

/** A value as an expression of a language. */
export const expression = (
  value: Value,
  operator: string,
  variable: (name: string) => string,
  quote: (text: string) => string,
): string =>
  value.map((part) => (typeof part === 'string' ? quote(part) : variable(part.env))).join(` ${operator} `)

/** The value with one more text at its end. */
export function followedBy(value: Value, text: string): Value {
  const last = value.at(-1)
  return typeof last === 'string' ? [...value.slice(0, -1), last + text] : [...value, text]
}
