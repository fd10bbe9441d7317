import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { longBodyOf, streamPaths } from '../../contract/documents.ts'
import { Failure } from '../../failure.ts'

const CREDENTIAL_HEADERS = ['x-secret-code', 'x-secret-token', 'authorization']
/** Each parameter of a media type except `q`, its weight (RFC 9110, section 12.5.1). */
const MEDIA_TYPE_PARAMETER = /;\s*(?!q\s*=)[\w!#$&^.+-]+\s*=\s*("([^"\\]|\\.)*"|[^",;]*)/gi

/** Refuses a request that is wrong by its path or headers alone. */
export const checkHeaders: RequestHandler = (req, _res, next) => {
  // The validator would ignore the slash at the end, since its router has no strict routing.
  if (req.path.endsWith('/')) throw new Failure('not_found')
  const type = streamPaths.has(req.path) ? 'text/event-stream' : 'application/json'
  // The response has one form, so parameters such as `charset` or `version` change nothing.
  const { headers } = req
  if (headers.accept?.includes(';')) headers.accept = headers.accept.replaceAll(MEDIA_TYPE_PARAMETER, '')
  if (!req.accepts(type)) throw new Failure('not_acceptable', { message: `The response is ${type}` })
  // Node joins or drops repeated headers. Which of two credentials is checked must not depend on that.
  const repeated = CREDENTIAL_HEADERS.find(
    (header) => headers[header] !== undefined && headerValues(req, header).length > 1,
  )
  if (repeated)
    throw new Failure('malformed_request', { message: `The header ${repeated} was given more than once` })
  next()
}

/**
 * No cache may store a response of the API, since it may contain a citizen's profile (RFC 9111, section
 * 5.2.2.5).
 */
export const forbidStoring: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store')
  next()
}

const BODY_TYPES = new Set(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])
/** RFC 2046, section 5.1.1. No semicolon: the validator would read the text after it as another parameter. */
const BOUNDARY = /;\s*boundary=("[\w'()+,./:=? -]{1,70}"|[\w'()+,./:=?-]{1,70})/i

/** Replaces a missing type and each type that the service does not read. No operation accepts it. */
export const NOT_READ = 'application/octet-stream'

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0

/** The type of the body, if it is one that the operations read. For a request whose type is normalized. */
export function readTypeOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  const type = headers['content-type']?.split(';', 1)[0]
  return type !== undefined && BODY_TYPES.has(type) ? type : undefined
}

/**
 * Reduces `Content-Type` to a few values. express-openapi-validator compiles and keeps a validator for each
 * distinct value, so a client could otherwise fill the memory by sending many distinct values.
 */
export const normalizeContentType: RequestHandler = (req, _res, next) => {
  const { headers } = req
  const contentType = headers['content-type']
  if (!hasBody(req) || req.method === 'GET') {
    delete headers['content-type']
    return next()
  }
  const sent = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // A PATCH body is a JSON Merge Patch (RFC 7396), so its own type is another name of JSON.
  const type = req.method === 'PATCH' && sent === 'application/merge-patch+json' ? 'application/json' : sent
  if (BODY_TYPES.has(type) || type === longBodyOf(req)?.type) {
    const boundary = type === 'multipart/form-data' ? (BOUNDARY.exec(contentType!)?.[0] ?? '') : ''
    headers['content-type'] = type + boundary
  } else {
    headers['content-type'] = NOT_READ
  }
  next()
}

/**
 * The values of a header as the client sent it. `name` is in lower case. Node's `headers` joins or drops
 * repeated headers, and `headersDistinct` copies all of them.
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sentName = rawHeaders[index]!
    if (sentName.length === name.length && sentName.toLowerCase() === name)
      values.push(rawHeaders[index + 1]!)
  }
  return values
}
