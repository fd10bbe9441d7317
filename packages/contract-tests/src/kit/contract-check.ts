import { type DocumentName, type OperationId, routes } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Response_ = { headers?: Record<string, Header>; content?: Record<string, unknown> }
type Header = { $ref?: string; required?: boolean; schema?: { pattern?: string } }
type Document = {
  servers: { url: string }[]
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string } & Response_> }>>
  components: Record<string, Record<string, Response_ & Header>>
}

export const documents = { partner, 'citizen-app': citizenApp, operator } as unknown as Record<
  DocumentName,
  Document
>

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const [name, document] of Object.entries(documents))
  ajv.addSchema(document, `https://contract.invalid/${name}`)

export const documentOf = (id: OperationId): DocumentName =>
  (Object.keys(routes) as DocumentName[]).find((name) => id in routes[name])!

/** The method and the path of an operation on the server. */
export function locate(id: OperationId): { method: string; path: string } {
  const document = documentOf(id)
  const { method, path } = (routes[document] as Record<string, { method: string; path: string }>)[id]!
  return {
    method: method.toUpperCase(),
    path: new URL(documents[document].servers[0]!.url).pathname.replace(/\/$/, '') + path,
  }
}

export const documentedStatuses = (id: OperationId): number[] => Object.keys(responsesOf(id)).map(Number)

/**
 * Throws unless the response matches the document of the operation: status, content type, headers and body.
 */
export async function assertMatchesContract(id: OperationId, response: Response): Promise<void> {
  const document = documents[documentOf(id)]
  const documented = responsesOf(id)[response.status]
  if (!documented)
    throw new Error(
      `${id} answered ${response.status}, which its document does not name: ${await response.clone().text()}`,
    )
  const [pointer, expected] = documented.$ref
    ? [documented.$ref, follow(document, documented.$ref)]
    : [responsePointer(id, response.status), documented]
  const type = /^[\w/-]+/.exec(response.headers.get('content-type') ?? '')?.[0] ?? ''
  if (!expected.content || !(type in expected.content))
    throw new Error(`${id} ${response.status}: the content type is ${type}`)
  for (const [name, header] of Object.entries(expected.headers ?? {})) {
    const rules = header.$ref ? (follow(document, header.$ref) as Header) : header
    const value = response.headers.get(name)
    if (rules.required && value === null)
      throw new Error(`${id} ${response.status}: the header ${name} is missing`)
    if (value !== null && rules.schema?.pattern && !new RegExp(rules.schema.pattern).test(value))
      throw new Error(`${id} ${response.status}: the header ${name} is ${value}`)
  }
  if (response.status >= 400)
    for (const name of successHeaders(id))
      if (response.headers.has(name) && !Object.hasOwn(expected.headers ?? {}, name))
        throw new Error(`${id} ${response.status}: a refusal carries the header ${name} of a success`)
  // A stream does not end. The tests of the stream read its events.
  if (type === 'text/event-stream') return
  // The validator caches the schema under this name. Compiling it for each response would take most of the
  // time.
  const validate = ajv.getSchema(
    `https://contract.invalid/${documentOf(id)}${pointer}/content/application~1json/schema`,
  )!
  if (!validate(await response.clone().json()))
    throw new Error(
      `${id} ${response.status}: the body breaks the contract: ${ajv.errorsText(validate.errors)}`,
    )
}

function responsesOf(id: OperationId) {
  const name = documentOf(id)
  const { method, path } = (routes[name] as Record<string, { method: string; path: string }>)[id]!
  return documents[name].paths[path]![method]!.responses
}

const successHeaders = (id: OperationId) =>
  Object.entries(responsesOf(id)).flatMap(([status, { headers }]) =>
    Number(status) < 400 ? Object.keys(headers ?? {}) : [],
  )

function responsePointer(id: OperationId, status: number): string {
  const { method, path } = (routes[documentOf(id)] as Record<string, { method: string; path: string }>)[id]!
  const key = encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `#/paths/${key}/${method}/responses/${status}`
}

function follow(document: Document, ref: string): Response_ & Header {
  const [section, name] = ref.replace('#/components/', '').split('/')
  return document.components[section!]![name!]!
}
