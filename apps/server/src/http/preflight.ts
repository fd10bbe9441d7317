import type { RequestHandler } from 'express'
import { basePathOf, documents } from '../contract/documents.ts'

const LASTS_SECONDS = 600
/** A bearer token is not for a page either, and sending it once would use it up: with this header a browser is not let through. */
const FORBIDDEN = 'authorization'
const HEADER_NAME = /^[\w-]+$/

/** The methods of each path of the partner document. */
const PATHS = Object.entries(documents.partner.paths).map(([path, item]) => ({
  path: new RegExp(`^${basePathOf('partner')}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: Object.keys(item)
    .filter((key) => key !== 'parameters')
    .join(', ')
    .toUpperCase(),
}))

/**
 * Answers the preflight of a partner operation (Fetch, section 3.3), so that the browser sends the request and its page can read
 * `browser_use_forbidden`, the one answer that `refuseBrowsers` lets it read. Credentials of the browser are never allowed.
 */
export const answerPreflight: RequestHandler = (req, res, next) => {
  const { 'access-control-request-method': method, 'access-control-request-headers': names = '' } = req.headers
  const isPreflight = req.method === 'OPTIONS' && req.headers.origin !== undefined && method !== undefined
  const found = isPreflight && PATHS.find(({ path }) => path.test(req.path))
  if (!found) return next()
  const asked = names.split(',').map((name) => name.trim().toLowerCase())
  res.status(204).set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': found.methods,
    'Access-Control-Allow-Headers': asked.filter((name) => HEADER_NAME.test(name) && name !== FORBIDDEN).join(', '),
    'Access-Control-Max-Age': String(LASTS_SECONDS),
    Vary: 'Access-Control-Request-Headers',
  })
  res.end()
}
