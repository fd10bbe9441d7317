import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'

/**
 * What Node makes a request and an answer of, so that they are Express' own from the beginning: it would else give each another
 * prototype, after which all that is done with it is slower.
 */
export function createExpressPrototypes(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class OurRequest extends IncomingMessage {}
  class OurResponse<Of extends IncomingMessage = IncomingMessage> extends ServerResponse<Of> {}
  app.request = become(OurRequest.prototype, app.request)
  app.response = become(OurResponse.prototype, app.response)
  return { IncomingMessage: OurRequest, ServerResponse: OurResponse }
}

/** Express' prototype has one property of its own, `app`, and inherits the rest. */
function become<Prototype extends Request | Response>(ours: object, express: Prototype): Prototype {
  Object.setPrototypeOf(ours, Object.getPrototypeOf(express) as object)
  return Object.defineProperties(ours, Object.getOwnPropertyDescriptors(express)) as Prototype
}
