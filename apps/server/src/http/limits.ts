import type { PartnerOperations, Schemas } from '@tiwala/contract'
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { ipKeyGenerator, MemoryStore, rateLimit } from 'express-rate-limit'
import type { Config } from '../config.ts'
import type { PartnerRow, ProvenPartner } from '../partners/store.ts'
import type { Quotas } from '../partners/usage/quotas.ts'
import { Failure } from './failure.ts'

const MINUTE_MS = 60_000
const WRONG_CREDENTIALS = new Set(['credentials_invalid', 'partner_invalid', 'token_invalid', 'token_used'])

/** Holds off an address that sends wrong credentials. Only refusals count, so that a busy partner is never held off for its own traffic. */
export class AddressLimit {
  readonly #store = new MemoryStore()
  readonly #mostPerMinute: number

  constructor(config: Config) {
    this.#mostPerMinute = config.perMinute.refusedCredentials
    this.#store.init({ windowMs: MINUTE_MS } as Parameters<MemoryStore['init']>[0])
  }

  readonly guard: RequestHandler = (req, _res, next) => {
    // The store's own `get` is the same, made asynchronous.
    const { current, previous } = this.#store
    if (current.size + previous.size > 0) {
      const address = addressOf(req)
      const seen = current.get(address) ?? previous.get(address)
      if (seen && seen.totalHits >= this.#mostPerMinute) throw rateLimited(seen.resetTime)
    }
    next()
  }

  readonly note: ErrorRequestHandler = async (thrown, req, _res, next) => {
    const refusal: unknown = req.refusal ?? thrown
    if (refusal instanceof Failure && WRONG_CREDENTIALS.has(refusal.code)) await this.#store.increment(addressOf(req))
    next(thrown)
  }
}

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
 * How often a partner may call an operation in a minute, its own limit before the service's, told in the `RateLimit` headers.
 * Per process: it protects, it decides nothing.
 */
export function limitPartner({ perMinute }: Config): RequestHandler {
  const operationOf = (req: Request) => req.openapi?.schema.operationId as keyof typeof OWN_LIMIT
  const callerOf = (req: Request) => req.caller as Limited
  const limit = rateLimit({
    windowMs: MINUTE_MS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    limit: (req) => callerOf(req).limits[OWN_LIMIT[operationOf(req)]] ?? perMinute[operationOf(req)],
    // A token that another request has just spent does not count against the partner: whoever holds it may send it.
    skipFailedRequests: true,
    requestWasSuccessful: (req, res) => operationOf(req) !== 'authenticate' || res.statusCode < 400,
    keyGenerator: (req) => `${operationOf(req)} ${partnerIdOf(callerOf(req))}`,
    handler: (req, _res, next) => next(rateLimited((req as Request & { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime)),
  })
  return (req, res, next) => (Object.hasOwn(OWN_LIMIT, operationOf(req) ?? '') ? limit(req, res, next) : next())
}

/** What begins something; what was begun can be finished, whatever the day's quota says. */
const COUNTED = new Set<string | undefined>(['requestAuthorization', 'profileByQr', 'generateToken'] satisfies (keyof PartnerOperations)[])

/** Keeps the partner's daily quota. Only what succeeds counts. */
export const limitDay =
  (quotas: Quotas): RequestHandler =>
  (req, res, next) => {
    if (!COUNTED.has(req.openapi?.schema.operationId)) return next()
    const settle = quotas.hold(req.caller as ProvenPartner)
    if (!settle) return refuseToday(quotas)
    res.once('close', () => settle(res.writableEnded && res.statusCode < 400))
    next()
  }

async function refuseToday(quotas: Quotas): Promise<never> {
  throw new Failure('quota_exceeded', { retryAfterSeconds: await quotas.secondsLeftToday() })
}

const partnerIdOf = (caller: Limited) => ('id' in caller ? caller.id : caller.partnerId)

const addressOf = (req: Request) => ipKeyGenerator(req.ip ?? '')

function rateLimited(resetTime: Date | undefined): Failure {
  const waitMs = (resetTime?.getTime() ?? Date.now() + MINUTE_MS) - Date.now()
  return new Failure('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}
