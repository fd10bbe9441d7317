import { parse } from 'node:url'
import { type DocumentName, routes } from '@tiwala/contract'
import citizenApp from '@tiwala/contract/citizen-app.json' with { type: 'json' }
import operator from '@tiwala/contract/operator.json' with { type: 'json' }
import partner from '@tiwala/contract/partner.json' with { type: 'json' }
import type { Request, RequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import { operations } from '../operations.ts'
import type { SecurityHandler } from './callers.ts'

type Document = typeof partner | typeof citizenApp | typeof operator
type Validator = Parameters<typeof middleware>[0]

export const documents: Record<DocumentName, Document> = { partner, 'citizen-app': citizenApp, operator }

/** Under which path a document's operations live on this server. */
export const basePathOf = (name: DocumentName) => new URL(documents[name].servers[0]!.url).pathname.replace(/\/$/, '')

/** Whose answer is a stream of events, by path on this server. */
export const streamPaths = new Set(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.entries(documents[name].paths).flatMap(([path, item]) =>
      JSON.stringify(item).includes('"text/event-stream"') ? [basePathOf(name) + path] : [],
    ),
  ),
)

type LongBody = { type: string; mostBytes: number }

/** Bodies that may be longer than the others (`x-max-bytes`), by method and path on this server. */
const longBodies = new Map(
  (Object.keys(documents) as DocumentName[]).flatMap((name) =>
    Object.entries(documents[name].paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { requestBody?: { content: Record<string, { 'x-max-bytes'?: number }> } }>).flatMap(
        ([method, { requestBody }]) =>
          Object.entries(requestBody?.content ?? {}).flatMap(([type, { 'x-max-bytes': mostBytes }]): [string, LongBody][] =>
            mostBytes === undefined ? [] : [[`${method.toUpperCase()} ${basePathOf(name)}${path}`, { type, mostBytes }]],
          ),
      ),
    ),
  ),
)

/** What this request may send instead of a body of the usual form. Known before the validator has matched its operation. */
export const longBodyOf = ({ method, baseUrl, path }: Pick<Request, 'method' | 'baseUrl' | 'path'>) =>
  longBodies.get(`${method} ${baseUrl}${path}`)

/**
 * The validator takes each address apart with `url.parse`. Until Node has warned of that once, it looks through the stack each time to
 * see whether it should; here it warns where nobody is concerned.
 */
function warnOfUrlParse(): void {
  const { noDeprecation } = process
  process.noDeprecation = true
  parse('')
  process.noDeprecation = noDeprecation ?? false
}
warnOfUrlParse()

/** Holds a document against every request and every answer. The only file that knows express-openapi-validator's settings. */
export function holdToContract(name: DocumentName, handlers: Record<string, SecurityHandler>): RequestHandler[] {
  const document = adaptParameters(withoutRefusals(structuredClone(documents[name])))
  for (const scheme of Object.keys(document.components.securitySchemes)) {
    if (!handlers[scheme]) throw new Error(`The ${name} document has a security scheme without a handler: ${scheme}`)
  }
  for (const operationId of Object.keys(routes[name])) {
    if (!Object.hasOwn(operations, operationId)) throw new Error(`The ${name} document has an operation without a function: ${operationId}`)
  }
  const validating = middleware({
    apiSpec: { ...document, servers: [{ url: basePathOf(name) || '/' }] } as unknown as NonNullable<Validator['apiSpec']>,
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: { handlers: handlers as never },
    fileUploader: false,
  }) as unknown as RequestHandler[]
  return rememberRoutes(validating)
}

/**
 * The validator looks for an operation along all its routes, and compiles each anew for each request (TOOLS section 2.10). What it found
 * for a path without parameters holds for every request, and there are as many of those as the document has.
 */
function rememberRoutes([preparePaths, findOperation, ...rest]: RequestHandler[]): RequestHandler[] {
  const found = new Map<string, Request['openapi'] & object>()
  const match: RequestHandler = (req, res, next) => {
    const key = `${req.method} ${req.originalUrl.split('?', 1)[0]}`
    const known = found.get(key)
    if (known) {
      req.openapi = { ...known, pathParams: {} }
      req.params = {}
      return next()
    }
    const remember = (fault?: unknown) => {
      if (!fault && req.openapi && Object.keys(req.openapi.pathParams).length === 0) found.set(key, req.openapi)
      next(fault)
    }
    void preparePaths!(req, res, (fault?: unknown) => (fault ? next(fault) : void findOperation!(req, res, remember)))
  }
  return [match, ...rest]
}

/** Refusals are written by one typed builder and never pass the validator: without their schemas it is ready in half the time. */
function withoutRefusals(document: Document): Document {
  for (const item of Object.values(document.paths) as Record<string, { responses: Record<string, unknown> }>[]) {
    for (const operation of Object.values(item)) {
      operation.responses = Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status.startsWith('2')))
    }
  }
  return document
}

type Parameter = { in?: string; allowReserved?: boolean; schema?: { type?: string; allOf?: object[] } }

/** Two changes to what the validator does with parameters. They are no part of the contract, so the documents do not have them. */
function adaptParameters(document: Document): Document {
  const items = Object.values<Record<string, object>>(document.paths)
  const places: { parameters?: Parameter[] }[] = items.flatMap((item) => [item, ...Object.values(item)])
  const own = places.flatMap(({ parameters }) => parameters ?? [])
  const shared = 'parameters' in document.components ? Object.values<Parameter>(document.components.parameters) : []
  for (const parameter of [...own, ...shared]) {
    // The validator refuses `+`, `:` and other characters that need no escape in a query (RFC 3986, section 3.4), and that clients send as they are.
    if (parameter.in === 'query') parameter.allowReserved = true
    // Ajv turns the text `1e400` into Infinity and then checks no bound of it. In `allOf` the type is checked again.
    if (parameter.schema?.type === 'integer') parameter.schema.allOf = [{ type: 'integer' }]
  }
  return document
}
