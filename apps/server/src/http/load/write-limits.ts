import type { Request, RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { Config } from '../../config.ts'
import type { AuthenticatedCitizen, AuthenticatedMember, AuthenticatedOperator } from '../../operation.ts'
import { MINUTE_MS, msLeft, rateLimited } from './partner-limits.ts'
import { WindowStore } from './window-store.ts'

/** Of all people of a partner together, and of the visitor of a sandbox as the administrator of its partner. */
const WRITES_PER_PARTNER_AND_MINUTE = 60

type Caller = AuthenticatedCitizen | AuthenticatedMember | AuthenticatedOperator | object | undefined

/** `undefined`: partners have limits of their own, and administrators of the service none. */
function countedAs(caller: Caller = {}): string | number | undefined {
  if ('uniqidHmacs' in caller) return caller.uniqidHmacs[0]
  if ('memberId' in caller) return caller.partnerId
  return 'onlyPartner' in caller ? (caller.onlyPartner ?? undefined) : undefined
}

/**
 * Limits how often a citizen's app, the people of a partner, or the visitor of a sandbox call each operation that writes,
 * since its audit rows stay for good. Each operation has a count of its own, so that an app that issues too many QR values
 * can still freeze everything. Each process counts for itself.
 */
export function rateLimitWrites({ writesPerCitizenAndMinute }: Config): RequestHandler {
  const callerOf = (req: Request) => req.exchange.caller as Caller
  return rateLimit({
    store: new WindowStore(),
    windowMs: MINUTE_MS,
    standardHeaders: false,
    legacyHeaders: false,
    // As in `rateLimitPartner`.
    validate: { singleCount: false },
    limit: (req) =>
      'uniqidHmacs' in callerOf(req)! ? writesPerCitizenAndMinute : WRITES_PER_PARTNER_AND_MINUTE,
    skip: (req) => req.method === 'GET' || countedAs(callerOf(req)) === undefined,
    keyGenerator: (req) => `${req.openapi?.schema.operationId} ${countedAs(callerOf(req))}`,
    handler: (req, _res, next) => next(rateLimited(msLeft(req))),
  })
}
