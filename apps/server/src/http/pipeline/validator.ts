import { parse } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { DocumentName } from '@tiwala/contract'
import type { Request, RequestHandler } from 'express'
import { middleware } from 'express-openapi-validator'
import type { SecurityHandler } from '../../authentication/security-handlers.ts'
import { basePathOf, type Document, documents, operationsOf } from '../../contract/documents.ts'
import type { Policy } from '../../operation.ts'
import { policyOf } from '../../operations.ts'

type Validator = Parameters<typeof middleware>[0]

/**
 * The validator calls `url.parse` for each request. Until Node has given its deprecation warning once, it
 * examines the stack at each call to decide whether to warn. This call makes Node give the warning now,
 * without output (`PERFORMANCE.md`).
 */
function silenceUrlParseWarning(): void {
  const { noDeprecation } = process
  process.noDeprecation = true
  parse('')
  process.noDeprecation = noDeprecation ?? false
}
silenceUrlParseWarning()

/**
 * Validates every request and every response against a document. No other file has settings of
 * express-openapi-validator.
 */
export function createValidator(
  name: DocumentName,
  handlers: Record<string, SecurityHandler>,
): RequestHandler[] {
  const document = adaptSchemes(adaptParameters(withoutRefusals(structuredClone(documents[name]))))
  for (const scheme of Object.keys(document.components.securitySchemes)) {
    if (!handlers[scheme])
      throw new Error(`The ${name} document has a security scheme without a handler: ${scheme}`)
  }
  for (const { operation } of operationsOf(document)) {
    const { operationId } = operation
    const policy = policyOf(operationId)
    if (!policy)
      throw new Error(
        `The ${name} document has an operation without a function: ${operationId}. Add its row to apps/server/src/operations.ts.`,
      )
    // The operation's own, or else the document's.
    const documented: Security = operation.security ?? ('security' in document ? document.security : [])
    if (!isDeepStrictEqual(documented, securityOf(policy, documented[0]?.['operatorToken'])))
      throw new Error(
        `The ${name} document and operations.ts name different authentication for ${operationId}.`,
      )
  }
  const middlewares = middleware({
    apiSpec: { ...document, servers: [{ url: basePathOf(name) || '/' }] } as unknown as NonNullable<
      Validator['apiSpec']
    >,
    // The generator has validated the document (`PERFORMANCE.md`).
    validateApiSpec: false,
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: { handlers: handlers as never },
    fileUploader: false,
  }) as unknown as RequestHandler[]
  return cacheRoutes(middlewares)
}

type Security = Record<string, string[]>[]

/**
 * The `security` of the document for an operation with this policy: the whole list, because each further
 * requirement is another way in, and `{}` among them lets everybody in. The scopes of operators are in the
 * document only.
 */
function securityOf(policy: Policy, operatorScopes: string[] = []): Security {
  const scopes = 'scope' in policy && policy.scope ? [policy.scope] : []
  const roles = 'role' in policy ? [policy.role] : []
  return {
    secret_headers: [{ secretCode: [], secretToken: scopes }],
    // The credentials and the scope are fields of the body.
    secret_in_body: [],
    access_token: [{ accessToken: scopes }],
    citizen_token: [{ citizenToken: [] }],
    operator_token: [{ operatorToken: operatorScopes }],
    member: [{ memberSession: roles }, { memberToken: roles }],
  }[policy.authentication]
}

/**
 * Caches the operation of each path without parameters. Otherwise the validator compares each request with
 * all routes, and compiles each route again for each request. The cache has at most one entry for each such
 * operation of the document.
 */
function cacheRoutes([preparePaths, findOperation, ...rest]: RequestHandler[]): RequestHandler[] {
  const cache = new Map<string, Request['openapi'] & object>()
  const match: RequestHandler = (req, res, next) => {
    const key = `${req.method} ${req.originalUrl.split('?', 1)[0]}`
    const cached = cache.get(key)
    if (cached) {
      req.openapi = { ...cached, pathParams: {} }
      req.params = {}
      return next()
    }
    const cacheAndContinue = (error?: unknown) => {
      if (!error && req.openapi && Object.keys(req.openapi.pathParams).length === 0)
        cache.set(key, req.openapi)
      next(error)
    }
    void preparePaths!(req, res, (error?: unknown) =>
      error ? next(error) : void findOperation!(req, res, cacheAndContinue),
    )
  }
  return [match, ...rest]
}

/**
 * Removes the error responses. One typed function writes them all, and they never pass the validator. Without
 * their schemas the validator is ready in half the time.
 */
function withoutRefusals(document: Document): Document {
  for (const { operation } of operationsOf(document))
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
    )
  return document
}

/**
 * The validator reads cookies of a middleware that we do not have, and its error for a missing token would hide that of
 * the session. The security handlers of members read the cookie and the token themselves.
 */
function adaptSchemes(document: Document): Document {
  const schemes = document.components.securitySchemes as Record<string, { type: string }>
  for (const name of ['memberSession', 'memberToken'])
    if (schemes[name]) schemes[name] = { type: 'openIdConnect' }
  return document
}

type Parameter = {
  in?: string
  allowReserved?: boolean
  schema?: { $ref?: string; type?: string; allOf?: object[] }
}

/**
 * Corrects the validator's handling of parameters. This is no part of the contract, so it is not in the
 * documents.
 */
function adaptParameters(document: Document): Document {
  const own: Parameter[] = operationsOf(document).flatMap(({ operation }) => operation.parameters ?? [])
  const shared =
    'parameters' in document.components ? Object.values<Parameter>(document.components.parameters) : []
  for (const parameter of [...own, ...shared]) {
    // The validator refuses `+`, `:` and others, which need no escape in a query (RFC 3986, section 3.4) and
    // which clients send unescaped.
    if (parameter.in === 'query') parameter.allowReserved = true
    // Ajv converts the text `1e400` to Infinity and then does not check its bounds. In `allOf` it checks the
    // type again.
    if (parameter.schema?.type === 'integer') parameter.schema.allOf = [{ type: 'integer' }]
  }
  return document
}
