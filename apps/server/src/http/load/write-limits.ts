import type { Request, RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { Config } from '../../config.ts'
import type { AuthenticatedCitizen } from '../../operation.ts'
import { policyOf } from '../../operations.ts'
import { MINUTE_MS, msLeft, rateLimited } from './partner-limits.ts'

/**
 * Limits how often a citizen's app calls each operation that writes, since its audit rows stay for good. Each
 * operation has a count of its own, so that an app that issues too many QR values can still freeze everything.
 * Each process counts for itself.
 */
export function rateLimitCitizen({ writesPerCitizenAndMinute }: Config): RequestHandler {
  const operationOf = (req: Request) => req.openapi?.schema.operationId
  return rateLimit({
    windowMs: MINUTE_MS,
    standardHeaders: false,
    legacyHeaders: false,
    // As in `rateLimitPartner`.
    validate: { singleCount: false },
    limit: writesPerCitizenAndMinute,
    skip: (req) => req.method === 'GET' || policyOf(operationOf(req))?.authentication !== 'citizen_token',
    keyGenerator: (req) =>
      `${operationOf(req)} ${(req.exchange.caller as AuthenticatedCitizen).uniqidHmacs[0]}`,
    handler: (req, _res, next) => next(rateLimited(msLeft(req))),
  })
}
