import type { PartnerOperations, Schemas } from '@tiwala/contract'
import type { Request, RequestHandler, Response } from 'express'
import { MemoryStore, rateLimit } from 'express-rate-limit'
import type { Config } from '../config.ts'
import type { PartnerRow, ProvenPartner } from '../partners/store.ts'
import type { Quotas } from '../partners/usage/quotas.ts'
import { Failure } from './failure.ts'

const MINUTE_MS = 60_000

/** Which of a partner's own limits is an operation's. */
const OWN_LIMIT = {
  requestAuthorization: 'requests_per_minute',
  profileByQr: 'views_per_minute',
  generateToken: 'tokens_per_minute',
  authenticate: 'sign_ins_per_minute',
} as const satisfies Partial<Record<keyof PartnerOperations, keyof Schemas['PartnerLimits']>>

/** A partner, or an access token of one. */
type Limited = { limits: PartnerRow['limits'] } & ({ id: number } | { partnerId: number })

/**
 * How often a partner may call an operation in a minute, its own limit before the service's, told in the `RateLimit` headers. Each process
 * counts for itself. A request that was given up, or whose client went away, still counts: its work may be going on.
 */
export function limitPartner({ perMinute }: Config): RequestHandler {
  const operationOf = (req: Request) => req.openapi?.schema.operationId as keyof typeof OWN_LIMIT
  const callerOf = (req: Request) => req.caller as Limited
  const keyOf = (req: Request) => `${operationOf(req)} ${partnerIdOf(callerOf(req))}`
  const store = new MemoryStore()
  const limit = rateLimit({
    store,
    windowMs: MINUTE_MS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // This check would run for each request. It finds a limiter that a program has mounted twice.
    validate: { singleCount: false },
    limit: (req) => callerOf(req).limits[OWN_LIMIT[operationOf(req)]] ?? perMinute[operationOf(req)],
    keyGenerator: keyOf,
    handler: (req, _res, next) => next(rateLimited(resetTimeOf(req))),
  })
  // A token may be sent by others than its partner: one that is refused, because another request has just used it, does not count against the partner.
  const refund = (req: Request, { statusCode }: Response) => {
    const isSameMinute = Date.now() < (resetTimeOf(req)?.getTime() ?? 0)
    if (isSameMinute && statusCode >= 400 && statusCode < 500) void store.decrement(keyOf(req))
  }
  return (req, res, next) => {
    const operation = operationOf(req)
    if (!Object.hasOwn(OWN_LIMIT, operation ?? '')) return next()
    if (operation === 'authenticate') res.once('finish', () => refund(req, res))
    return limit(req, res, next)
  }
}

const resetTimeOf = (req: Request) => (req as Request & { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime

/** What begins something; what was begun can be finished, whatever the day's quota says. */
const COUNTED = new Set<string | undefined>(['requestAuthorization', 'profileByQr', 'generateToken'] satisfies (keyof PartnerOperations)[])

/**
 * Keeps the partner's daily quota. A request that the service refused or failed to answer does not count. One that was given up, or whose
 * client went away, does: its work may be going on, and a partner could otherwise repeat it without end.
 */
export const limitDay =
  (quotas: Quotas): RequestHandler =>
  (req, res, next) => {
    if (!COUNTED.has(req.openapi?.schema.operationId)) return next()
    const settle = quotas.hold(req.caller as ProvenPartner)
    if (!settle) return refuseToday(quotas)
    res.once('close', () => settle(!res.writableFinished || res.statusCode < 400 || req.isGivenUp === true))
    next()
  }

async function refuseToday(quotas: Quotas): Promise<never> {
  throw new Failure('quota_exceeded', { retryAfterSeconds: await quotas.secondsLeftToday() })
}

const partnerIdOf = (caller: Limited) => ('id' in caller ? caller.id : caller.partnerId)

export function rateLimited(resetTime: Date | undefined, check?: Schemas['CheckName']): Failure {
  const waitMs = (resetTime?.getTime() ?? Date.now() + MINUTE_MS) - Date.now()
  return new Failure('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), ...(check && { check }) })
}
