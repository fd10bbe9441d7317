import { parse } from 'node:url'
import { type DocumentName, routes } from '@tiwala/contract'
import type { Request, RequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import type { SecurityHandler } from '../authentication/security-handlers.ts'
import { basePathOf, type Document, documents } from '../contract/documents.ts'
import type { Policy } from '../operation.ts'
import { policyOf } from '../operations.ts'

type Validator = Parameters<typeof middleware>[0]

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
export function createValidator(name: DocumentName, handlers: Record<string, SecurityHandler>): RequestHandler[] {
  const document = adaptParameters(withoutRefusals(structuredClone(documents[name])))
  for (const scheme of Object.keys(document.components.securitySchemes)) {
    if (!handlers[scheme]) throw new Error(`The ${name} document has a security scheme without a handler: ${scheme}`)
  }
  for (const operationId of Object.keys(routes[name])) {
    const policy = policyOf(operationId)
    if (!policy) throw new Error(`The ${name} document has an operation without a function: ${operationId}`)
    if (policy.authentication !== authenticationIn(document, operationId))
      throw new Error(`The ${name} document and operations.ts name different authentication for ${operationId}.`)
  }
  const validating = middleware({
    apiSpec: { ...document, servers: [{ url: basePathOf(name) || '/' }] } as unknown as NonNullable<Validator['apiSpec']>,
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: { handlers: handlers as never },
    fileUploader: false,
  }) as unknown as RequestHandler[]
  return cacheRoutes(validating)
}

const AUTHENTICATION_BY_SCHEMES: Record<string, Policy['authentication']> = {
  'secretCode secretToken': 'secret_headers',
  '': 'secret_in_body',
  accessToken: 'access_token',
  citizenToken: 'citizen_token',
  operatorToken: 'operator_token',
}

type Secured = { operationId?: string; security?: Record<string, unknown>[] }

/** What the security requirement of an operation stands for: its own, or else that of the document. */
function authenticationIn(document: Document, operationId: string): Policy['authentication'] | undefined {
  const all = Object.values<Record<string, Secured>>(document.paths).flatMap((item) => Object.values(item))
  const own = all.find((operation) => operation.operationId === operationId)?.security
  const [requirement = {}] = own ?? ('security' in document ? document.security : [])
  return AUTHENTICATION_BY_SCHEMES[Object.keys(requirement).toSorted().join(' ')]
}

/**
 * The validator looks for an operation along all its routes, and compiles each anew for each request (TOOLS section 2.10). What it found
 * for a path without parameters holds for every request, and there are as many of those as the document has.
 */
function cacheRoutes([preparePaths, findOperation, ...rest]: RequestHandler[]): RequestHandler[] {
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
