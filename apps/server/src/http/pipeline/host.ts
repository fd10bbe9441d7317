import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { Failure } from '../../failure.ts'
import { headerValues } from './headers.ts'

/** A name, an IPv4 address or an IPv6 address, with or without a port. */
const HOST = /^([\w.~%-]+|\[[\da-f:.]+\])(:\d{0,5})?$/i
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Changes a request target in absolute form (`GET http://host/path`) to a path, and replaces `Host` by its
 * authority (RFC 9112, section 3.2.2). It runs before Express, which would parse the target again for each
 * mounted path.
 */
export function toOriginForm(request: IncomingMessage): void {
  const [, authority, target = ''] = ABSOLUTE_FORM.exec(request.url ?? '') ?? []
  if (authority === undefined) return
  request.url = target.startsWith('/') ? target : `/${target}`
  request.headers.host = authority
}

/** HTTP/1.1 requires exactly one valid `Host` (RFC 9112, section 3.2). */
export const requireHost: RequestHandler = (req, _res, next) => {
  const hosts = headerValues(req, 'host')
  if (hosts.length === 0 && req.httpVersion === '1.1') throw malformed('The header Host is missing')
  if (hosts.length > 1) throw malformed('The header Host was given more than once')
  // After `toOriginForm`, `headers.host` is the authority of an absolute target if the request has one.
  if ([...hosts, req.headers.host].some((host) => host !== undefined && !HOST.test(host)))
    throw malformed('The host is not valid')
  next()
}

const malformed = (message: string) => new Failure('malformed_request', { message })
