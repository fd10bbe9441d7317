// Makes Node create each request and response with Express' prototypes.
//
// By default Node creates an `IncomingMessage` and a `ServerResponse`, and Express replaces the prototype of
// both for each request. V8 then treats the objects as irregular, and every later access to them is slower.
// Here two subclasses get Express' properties once, at the start, and both Node (`createServer` options) and
// Express (`app.request`, `app.response`) use their prototypes. So Express sets a prototype that the object
// already has.
//
// Example: `createServer({ ...createExpressPrototypes(app, isDraining) }, app)`.
//
// Guarantee: requests and responses have the same methods and properties as without this file, except that each
// response closes its connection while the server drains (`drain.ts`). It relies on Express 5, which stores
// `app.request` and `app.response` as prototypes (`PERFORMANCE.md` says when it can go).
import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'

export function createExpressPrototypes(
  app: Express,
  isDraining: () => boolean,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Message extends IncomingMessage = IncomingMessage> extends ServerResponse<Message> {
    /** Node calls it before it sends the headers of any response. */
    override writeHead(status: number, ...rest: unknown[]): this {
      // Node then sends `Connection: close`.
      if (isDraining()) this.shouldKeepAlive = false
      return super.writeHead(status, ...(rest as []))
    }
  }
  app.request = inheritFromExpress(ExpressRequest.prototype, app.request)
  app.response = inheritFromExpress(ExpressResponse.prototype, app.response)
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse }
}

/** Express' prototype has one own property, `app`, and inherits the rest. */
function inheritFromExpress<Prototype extends Request | Response>(
  prototype: object,
  express: Prototype,
): Prototype {
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(express) as object)
  return Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(express)) as Prototype
}
