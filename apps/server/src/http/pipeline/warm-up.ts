import type { DocumentName } from '@tiwala/contract'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { error as validator } from 'express-openapi-validator'
import type { SecurityHandler } from '../../authentication/security-handlers.ts'
import { documents, operationsOf } from '../../contract/documents.ts'
import { validateBody } from './reply.ts'
import { createValidator } from './validator.ts'

const EXPECTED_ERRORS = [validator.BadRequest, validator.UnsupportedMediaType, validator.InternalServerError]

const contracts = new Map<DocumentName, Promise<RequestHandler[]>>()

/**
 * The middleware of a document's validator, which a process makes once, however many servers it runs. The handlers of the security
 * schemes are those of the server that received the request (`app.locals`). `isWarm`: every schema is compiled now, which takes
 * about a second of processor time for all documents. Without it, the first request of each operation compiles its own.
 */
export function contractOf(
  name: DocumentName,
  schemes: string[],
  { isWarm }: { isWarm: boolean },
): Promise<RequestHandler[]> {
  const make = async () => {
    const handlerOf =
      (scheme: string): SecurityHandler =>
      (req, scopes) =>
        (req.app.locals['securityHandlers'] as Record<string, SecurityHandler>)[scheme]!(req, scopes)
    const contract = createValidator(
      name,
      Object.fromEntries(schemes.map((scheme) => [scheme, handlerOf(scheme)])),
    )
    if (isWarm) await warmUp(name, contract)
    return contract
  }
  const contract = contracts.get(name) ?? make()
  contracts.set(name, contract)
  return contract
}

/**
 * Makes the validator compile the schemas of every operation at the start. Otherwise it would find an error
 * of the document at the first request, and that request would wait. A made-up request and response pass the
 * validator only, which may refuse them.
 */
export async function warmUp(name: DocumentName, middlewares: RequestHandler[]): Promise<void> {
  const withoutSecurity = middlewares.filter((middleware) => middleware.name !== 'securityMiddleware')
  let refused = 0
  for (const { method, path, operation } of operationsOf(documents[name])) {
    const types = operation.requestBody ? Object.keys(operation.requestBody.content) : [undefined]
    for (const type of types) {
      const example = path.replaceAll(/\{\w+\}/g, 'x')
      const { errors, isRefused } = await compile(withoutSecurity, method, example, type)
      if (errors.length)
        throw new Error(`The ${name} document is not valid at ${method} ${path}.`, { cause: errors[0] })
      if (isRefused) refused++
    }
  }
  // Each document has a required field that the made-up request lacks.
  if (refused === 0) throw new Error(`The validator of the ${name} document refuses nothing.`)
}

async function compile(
  middlewares: RequestHandler[],
  method: string,
  path: string,
  type: string | undefined,
) {
  const errors: unknown[] = []
  let isRefused = false
  const recordError = (error: unknown) => {
    if (error instanceof validator.BadRequest) isRefused = true
    if (error && !EXPECTED_ERRORS.some((expected) => error instanceof expected)) errors.push(error)
  }
  const headers = type ? { 'content-type': type, 'content-length': '2' } : {}
  const app = { enabled: () => true, param: () => {} }
  const parts = {
    headers,
    header: () => type,
    get: () => type,
    query: {},
    params: {},
    body: {},
    app,
    baseUrl: '',
  }
  const req = { method, path, url: path, originalUrl: path, ...parts } as unknown as Request
  const res = {
    statusCode: 200,
    getHeaders: () => ({ 'content-type': 'application/json' }),
    json: () => res,
  } as unknown as Response
  for (const middleware of middlewares) {
    await new Promise<void>((resolve) => {
      const next: NextFunction = (error?: unknown) => {
        recordError(error)
        resolve()
      }
      void middleware(req, res, next)
    })
  }
  validateBody(req, res, {})
  return { errors, isRefused }
}
