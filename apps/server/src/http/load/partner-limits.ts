import type { Schemas } from '@tiwala/contract'
import type { Request, RequestHandler, Response } from 'express'
import { rateLimit, type RateLimitInfo } from 'express-rate-limit'
import type { Config } from '../../config.ts'
import { Failure } from '../../failure.ts'
import { partnerPolicyOf } from '../../operations.ts'
import { type AuthenticatedPartner, effectiveLimits, type OwnLimits } from '../../partners/partner.ts'
import type { Quotas } from '../../partners/usage/quotas.ts'
import { WindowStore } from './window-store.ts'

export const MINUTE_MS = 60_000

/** A partner, or an access token of one. */
type Limited = OwnLimits & ({ id: number } | { partnerId: number })

/**
 * Limits the requests of a partner to an operation per minute: the partner's own limit if it has one, else
 * the service's. The `RateLimit` headers show it. Each process counts for itself. A request that exceeded its
 * deadline, or whose client went away, still counts, because its handler may be running.
 */
export function rateLimitPartner(config: Config): RequestHandler {
  const operationOf = (req: Request) => req.openapi?.schema.operationId
  const callerOf = (req: Request) => req.exchange.caller as Limited
  const keyOf = (req: Request) => `${operationOf(req)} ${partnerIdOf(callerOf(req))}`
  const store = new WindowStore()
  const limit = rateLimit({
    store,
    windowMs: MINUTE_MS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // This check runs for each request, and only finds a limiter that a program has mounted twice.
    validate: { singleCount: false },
    limit: (req) => effectiveLimits(callerOf(req), config)[partnerPolicyOf(operationOf(req))!.rateLimit!],
    keyGenerator: keyOf,
    handler: (req, _res, next) => next(rateLimited(msLeft(req))),
  })
  // Clients other than the partner can send a token. If a token is refused, for example because another
  // request has just used it, the request does not count against the partner.
  const refund = (req: Request, { statusCode }: Response) => {
    if (msLeft(req) > 0 && statusCode >= 400 && statusCode < 500) void store.decrement(keyOf(req))
  }
  return (req, res, next) => {
    const policy = partnerPolicyOf(operationOf(req))
    if (!policy?.rateLimit) return next()
    if (policy.authentication === 'access_token') res.once('finish', () => refund(req, res))
    return limit(req, res, next)
  }
}

/** What the rate limit of the partner says about the request. `undefined`: it did not come so far, or has no such limit. */
const limitOf = (req: Request) => (req as Request & { rateLimit?: RateLimitInfo }).rateLimit

/** Until the window of the request's rate limit ends. */
export const msLeft = (req: Request) => (limitOf(req)?.resetTime?.getTime() ?? 0) - Date.now()

/** How much of the limit of this minute is used, with the request: a whole percentage, at most 100. */
export function usedPercent(req: Request): number | undefined {
  const info = limitOf(req)
  return info && Math.min(100, Math.ceil((100 * info.used) / info.limit))
}

/**
 * Enforces the partner's daily quota. A request that the service refuses, or that fails, does not count. A
 * request that exceeded its deadline, or whose client went away, counts: its handler may be running, and a
 * partner could otherwise repeat it without limit.
 */
export const enforceDailyQuota =
  (quotas: Quotas): RequestHandler =>
  (req, res, next) => {
    const policy = partnerPolicyOf(req.openapi?.schema.operationId)
    const pass = () => {
      if (policy?.rateLimit || policy?.isCountedDaily) req.exchange.passed.push('rate')
      next()
    }
    if (!policy?.isCountedDaily) return pass()
    const settle = quotas.hold(req.exchange.caller as AuthenticatedPartner)
    if (!settle) return throwQuotaExceeded(quotas)
    res.once('close', () => settle(res.statusCode < 400 || req.exchange.isTimedOut))
    return pass()
  }

async function throwQuotaExceeded(quotas: Quotas): Promise<never> {
  throw new Failure('quota_exceeded', { retryAfterSeconds: await quotas.secondsLeftToday() })
}

const partnerIdOf = (caller: Limited) => ('id' in caller ? caller.id : caller.partnerId)

export function rateLimited(waitMs: number, check?: Schemas['CheckName']): Failure {
  return new Failure('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    ...(check && { check }),
  })
}
