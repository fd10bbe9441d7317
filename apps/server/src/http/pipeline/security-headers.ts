import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** The headers of every response, for a browser that shows it in a page or a frame. */
export const setSecurityHeaders = computedOnce(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    // These are only useful for documents that a browser opens.
    crossOriginOpenerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    originAgentCluster: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
)

/** The headers of such documents: all that Helmet has. */
export const protectPages = computedOnce(helmet({ xFrameOptions: { action: 'deny' } }))

/** The headers of pages that are built by Vite, with all their code and styles in files. */
export const protectBuiltPages = protectWith({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
})

/** The headers of our own pages, which load nothing from other origins. */
export const protectOwnPages = protectWith({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
})

/**
 * The headers of the documentation. Its search is WebAssembly, and it has no inline scripts and styles.
 */
export const protectDocs = protectWith({
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
  imgSrc: ["'self'", 'data:'],
  objectSrc: ["'none'"],
})

/**
 * The headers of pages that load only what the sources allow and are in no frame. Without `sendsForms` they send no
 * forms.
 */
export function protectWith(sources: Record<string, string[]>, { sendsForms = false } = {}): RequestHandler {
  const directives = {
    ...sources,
    baseUri: ["'none'"],
    ...(!sendsForms && { formAction: ["'none'"] }),
    frameAncestors: ["'none'"],
  }
  return computedOnce(
    helmet({
      xFrameOptions: { action: 'deny' },
      contentSecurityPolicy: { useDefaults: false, directives },
    }),
  )
}

/** The headers are the same on every response, so Helmet computes them once. */
export function computedOnce(middleware: ReturnType<typeof helmet>): RequestHandler {
  const headers = new Map<string, string>()
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => {},
  }
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, () => {})
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    next()
  }
}
