import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** What every answer says to a browser that shows it where it should not. */
export const setSecurityHeaders = computedOnce(
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    xFrameOptions: { action: 'deny' },
    // These concern documents that a browser opens.
    crossOriginOpenerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    originAgentCluster: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
)

/** For those, all of it. */
export const protectPages = computedOnce(helmet({ xFrameOptions: { action: 'deny' } }))

/** The same on every answer, so that they are computed once. */
export function computedOnce(middleware: ReturnType<typeof helmet>): RequestHandler {
  const headers = new Map<string, string>()
  const note = { setHeader: (name: string, value: string) => headers.set(name, value), removeHeader: () => {} }
  middleware({} as IncomingMessage, note as unknown as ServerResponse, () => {})
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    next()
  }
}
