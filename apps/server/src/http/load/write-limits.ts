import type { Request, RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { Config } from '../../config.ts'
import type { AuthenticatedCitizen, AuthenticatedMember } from '../../operation.ts'
import { policyOf } from '../../operations.ts'
import { MINUTE_MS, msLeft, rateLimited } from './partner-limits.ts'

/** Of all people of a partner together. */
const WRITES_PER_PARTNER_AND_MINUTE = 60

/**
 * Limits how often a citizen's app, or the people of a partner, call each operation that writes, since its audit rows
 * stay for good. Each operation has a count of its own, so that an app that issues too many QR values can still freeze
 * everything. Each process counts for itself.
 */
export function rateLimitWrites({ writesPerCitizenAndMinute }: Config): RequestHandler {
  const operationOf = (req: Request) => req.openapi?.schema.operationId
  const authenticationOf = (req: Request) => policyOf(operationOf(req))?.authentication
  return rateLimit({
    windowMs: MINUTE_MS,
    standardHeaders: false,
    legacyHeaders: false,
    // As in `rateLimitPartner`.
    validate: { singleCount: false },
    limit: (req) =>
      authenticationOf(req) === 'member' ? WRITES_PER_PARTNER_AND_MINUTE : writesPerCitizenAndMinute,
    skip: (req) => req.method === 'GET' || !['citizen_token', 'member'].includes(authenticationOf(req) ?? ''),
    keyGenerator: (req) => {
      const caller = req.exchange.caller as AuthenticatedCitizen | AuthenticatedMember
      return `${operationOf(req)} ${'partnerId' in caller ? caller.partnerId : caller.uniqidHmacs[0]}`
    },
    handler: (req, _res, next) => next(rateLimited(msLeft(req))),
  })
}
