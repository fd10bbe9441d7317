import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RequestHandler, Router } from 'express'
import helmet from 'helmet'
import { storeFile } from '../http/pages/pages.ts'
import { type ByteBudget, CACHE_FOR_A_YEAR, REVALIDATE, sendStatic } from '../http/pages/static-response.ts'
import { computedOnce } from '../http/pipeline/security-headers.ts'
import { pathOf } from '../program.ts'

/** Built from `apps/sandbox` by `npm start`. */
const DIST = pathOf('sandbox')
/** The names of these files contain a hash of their content. */
const ASSETS = 'assets'
/** Loaded by the page in a frame without an origin, to send a request as a page of another origin. */
const FRAMED = /^other-origin\./

const policyOf = (frameAncestors: string) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    frameSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: [frameAncestors],
  },
})

const protectPage = computedOnce(
  helmet({ xFrameOptions: { action: 'deny' }, contentSecurityPolicy: policyOf("'none'") }),
)
const protectFramed = computedOnce(
  helmet({
    xFrameOptions: { action: 'sameorigin' },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    contentSecurityPolicy: policyOf("'self'"),
  }),
)

/** The sandbox page at `/sandbox/`. Without a build there is no page. */
export async function page(budget: ByteBudget): Promise<RequestHandler> {
  const router = Router({ strict: true, caseSensitive: true })
  if (!existsSync(DIST)) return router
  router.get('/sandbox', protectPage, (_req, res) => res.redirect(308, '/sandbox/'))
  for (const path of await readdir(DIST, { recursive: true })) {
    if (!path.includes('.')) continue
    const cacheControl = path.startsWith(ASSETS) ? CACHE_FOR_A_YEAR : REVALIDATE
    const protect = FRAMED.test(path) ? protectFramed : protectPage
    const handler = sendStatic(await storeFile(join(DIST, path)), cacheControl, budget)
    router.all([`/sandbox/${path === 'index.html' ? '' : path}`], protect, handler)
  }
  return router
}
