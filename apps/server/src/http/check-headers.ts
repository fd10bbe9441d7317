import type { RequestHandler } from 'express'
import { streamPaths } from '../contract/documents.ts'
import { Failure } from '../failure.ts'
import { headerValues } from './header-values.ts'

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
