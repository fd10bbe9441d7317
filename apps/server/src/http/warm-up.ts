import type { RequestHandler } from 'express'
import { error as validator } from 'express-openapi-validator'
import { basePathOf, documents } from './contract.ts'
import type { DocumentName } from '@tiwala/contract'

/**
 * Has the validator compile every operation's schemas now: it would else find a fault of the document at the first request
 * and make that request wait. Nothing is called but the validator itself.
 */
export async function warmUp(name: DocumentName, middlewares: RequestHandler[]): Promise<void> {
  const validating = middlewares.filter((middleware) => middleware.name !== 'securityMiddleware')
  for (const [path, item] of Object.entries(documents[name].paths)) {
    for (const [method, operation] of Object.entries(item) as [string, { requestBody?: { content: object }; responses: object }][]) {
      const types = operation.requestBody ? Object.keys(operation.requestBody.content) : [undefined]
      for (const type of types) await compile(validating, method.toUpperCase(), basePathOf(name) + path.replaceAll(/\{\w+\}/g, 'x'), type)
    }
  }
}

async function compile(middlewares: RequestHandler[], method: string, path: string, type: string | undefined): Promise<void> {
  const headers = type ? { 'content-type': type, 'content-length': '2' } : {}
  const req = { method, path, url: path, originalUrl: path, baseUrl: '', headers, header: () => type, get: () => type, query: {}, params: {}, body: {}, app: { enabled: () => true, param: () => {} } }
  const res = { statusCode: 200, headersSent: false, getHeaders: () => ({ 'content-type': 'application/json' }), json: () => res }
  for (const middleware of middlewares) await passThrough(middleware, req, res)
  await passThrough((_req, _res, next) => (res.json as (body: unknown) => void, next()), req, res)
}

/** A refusal of the made-up request is what compiling it gives; anything else is a fault of the document. */
function passThrough(middleware: RequestHandler, req: object, res: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (error?: unknown) => (error && !(error instanceof validator.BadRequest) && !(error instanceof validator.UnsupportedMediaType) ? reject(error) : resolve())
    Promise.resolve(middleware(req as never, res as never, next as never)).catch(reject)
  })
}
