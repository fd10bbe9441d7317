import type { RequestHandler } from 'express'
import { documents, operationsOf } from '../../contract/documents.ts'

const MAX_AGE_SECONDS = 600
/**
 * A page must not send a bearer token either, since one request would use it up. So the preflight does not
 * allow this header.
 */
const FORBIDDEN_HEADER = 'authorization'
const HEADER_NAME = /^[\w-]+$/

const OPERATIONS = operationsOf(documents.partner)

/**
 * Responds to the preflight of a partner operation (Fetch, section 3.3), so that the browser sends the
 * request and its page can read `browser_use_forbidden`, the only response that `refuseBrowsers` lets it
 * read. Credentials of the browser, such as cookies, are never allowed.
 */
export const answerPreflight: RequestHandler = (req, res, next) => {
  const { 'access-control-request-method': method, 'access-control-request-headers': names = '' } =
    req.headers
  const isPreflight = req.method === 'OPTIONS' && req.headers.origin !== undefined && method !== undefined
  const operations = isPreflight ? OPERATIONS.filter(({ pattern }) => pattern.test(req.path)) : []
  if (operations.length === 0) return next()
  const requested = names.split(',').map((name) => name.trim().toLowerCase())
  res.status(204).set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': operations.map((operation) => operation.method).join(', '),
    'Access-Control-Allow-Headers': requested
      .filter((name) => HEADER_NAME.test(name) && name !== FORBIDDEN_HEADER)
      .join(', '),
    'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    Vary: 'Access-Control-Request-Headers',
  })
  res.end()
}
