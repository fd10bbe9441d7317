import type { PartnerOperations } from '@tiwala/contract'
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { ipKeyGenerator, MemoryStore, rateLimit } from 'express-rate-limit'
import type { Config } from '../config.ts'
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

  readonly guard: RequestHandler = async (req, _res, next) => {
    const seen = await this.#store.get(addressOf(req))
    if (seen && seen.totalHits >= this.#mostPerMinute) throw rateLimited(seen.resetTime)
    next()
  }

  readonly note: ErrorRequestHandler = async (thrown, req, _res, next) => {
    const refusal: unknown = req.refusal ?? thrown
    if (refusal instanceof Failure && WRONG_CREDENTIALS.has(refusal.code)) await this.#store.increment(addressOf(req))
    next(thrown)
  }
}

/** How often a partner may call an operation in a minute, told in the `RateLimit` headers. Per process: it protects, it decides nothing. */
export function limitPartner(config: Config): RequestHandler {
  const limits: Partial<Record<string, number>> = config.perMinute satisfies Partial<
    Record<keyof PartnerOperations | 'refusedCredentials', number>
  >
  const limitOf = (req: Request) => limits[req.openapi?.schema.operationId ?? '']
  return rateLimit({
    windowMs: MINUTE_MS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    skip: (req) => limitOf(req) === undefined,
    limit: (req) => limitOf(req)!,
    // Who holds a spent token is not thereby the partner: only what succeeds there counts against it.
    skipFailedRequests: true,
    requestWasSuccessful: (req, res) => req.openapi?.schema.operationId !== 'authenticate' || res.statusCode < 400,
    keyGenerator: (req) => `${req.openapi!.schema.operationId} ${partnerIdOf(req.caller)}`,
    handler: (req, _res, next) => next(rateLimited((req as Request & { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime)),
  })
}

function partnerIdOf(caller: unknown): number {
  const { id, partnerId } = caller as { id?: number; partnerId?: number }
  return id ?? partnerId!
}

const addressOf = (req: Request) => ipKeyGenerator(req.ip ?? '')

function rateLimited(resetTime: Date | undefined): Failure {
  const waitMs = (resetTime?.getTime() ?? Date.now() + MINUTE_MS) - Date.now()
  return new Failure('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}
