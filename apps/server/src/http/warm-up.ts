import type { DocumentName } from '@tiwala/contract'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { error as validator } from 'express-openapi-validator'
import type { SecurityHandler } from '../authentication/security-handlers.ts'
import { basePathOf, documents } from '../contract/documents.ts'
import { createValidator } from './validator.ts'

const REFUSALS = [validator.BadRequest, validator.UnsupportedMediaType, validator.InternalServerError]

type SecurityHandlers = Record<string, SecurityHandler>

const contracts = new Map<DocumentName, Promise<RequestHandler[]>>()

/**
 * A document's validators, warm. They take a second to compile, so that a process does it once, however many servers it runs; who calls
 * is asked of the server that was called.
 */
export function contractOf(name: DocumentName, handlers: SecurityHandlers): Promise<RequestHandler[]> {
  const make = async () => {
    const ask =
      (scheme: string): SecurityHandler =>
      (req, scopes) =>
        (req.app.locals['securityHandlers'] as SecurityHandlers)[scheme]!(req, scopes)
    const contract = createValidator(name, Object.fromEntries(Object.keys(handlers).map((scheme) => [scheme, ask(scheme)])))
    await warmUp(name, contract)
    return contract
  }
  const known = contracts.get(name) ?? make()
  contracts.set(name, known)
  return known
}

/**
 * Has the validator compile every operation's schemas now: it would else find a fault of the document at the first request,
 * and make that request wait. A made-up request and answer go through the validator alone; that it refuses them is no fault.
 */
export async function warmUp(name: DocumentName, middlewares: RequestHandler[]): Promise<void> {
  const validating = middlewares.filter((middleware) => middleware.name !== 'securityMiddleware')
  let refused = 0
  for (const [path, item] of Object.entries(documents[name].paths)) {
    for (const [method, operation] of Object.entries<object>(item)) {
      const types = 'requestBody' in operation ? Object.keys((operation.requestBody as { content: object }).content) : [undefined]
      for (const type of types) {
        const { faults, isRefused } = await compile(
          validating,
          method.toUpperCase(),
          basePathOf(name) + path.replaceAll(/\{\w+\}/g, 'x'),
          type,
        )
        if (faults.length) throw new Error(`The ${name} document is at fault at ${method} ${path}.`, { cause: faults[0] })
        if (isRefused) refused++
      }
    }
  }
  // Each document asks for something that a made-up request lacks.
  if (refused === 0) throw new Error(`The validator of the ${name} document refuses nothing.`)
}

async function compile(middlewares: RequestHandler[], method: string, path: string, type: string | undefined) {
  const faults: unknown[] = []
  let isRefused = false
  const note = (fault: unknown) => {
    if (fault instanceof validator.BadRequest) isRefused = true
    if (fault && !REFUSALS.some((refusal) => fault instanceof refusal)) faults.push(fault)
  }
  const headers = type ? { 'content-type': type, 'content-length': '2' } : {}
  const app = { enabled: () => true, param: () => {} }
  const parts = { headers, header: () => type, get: () => type, query: {}, params: {}, body: {}, app, baseUrl: '' }
  const req = { method, path, url: path, originalUrl: path, ...parts } as unknown as Request
  const res = { statusCode: 200, getHeaders: () => ({ 'content-type': 'application/json' }), json: () => res } as unknown as Response
  for (const middleware of middlewares) {
    await new Promise<void>((resolve) => {
      const next: NextFunction = (fault?: unknown) => {
        note(fault)
        resolve()
      }
      void middleware(req, res, next)
    })
  }
  res.json({})
  return { faults, isRefused }
}
