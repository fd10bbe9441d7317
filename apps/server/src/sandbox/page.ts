import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { builtPage } from '../http/pages/built-page.ts'
import type { ByteBudget } from '../http/pages/static-response.ts'
import { computedOnce } from '../http/pipeline/security-headers.ts'
import { pathOf } from '../program.ts'

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

/** The sandbox page at `/sandbox/`, built from `apps/sandbox` by `npm start`. */
export const page = (budget: ByteBudget): Promise<RequestHandler> =>
  builtPage('/sandbox', pathOf('sandbox'), budget, (file) =>
    FRAMED.test(file) ? protectFramed : protectPage,
  )
