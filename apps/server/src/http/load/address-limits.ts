import type { ErrorCode } from '@tiwala/contract'
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { UNKNOWN_SESSION } from '../../authentication/security-handlers.ts'
import type { Config } from '../../config.ts'
import { CHECK_OF } from '../../diagnostics/checks.ts'
import { Failure } from '../../failure.ts'
import { createWindowCounter } from '../../limits/window-counter.ts'
import { wrongCredentials } from '../../metrics/registry.ts'
import { addressOf } from '../../network/addresses.ts'
import type { Policy } from '../../operation.ts'
import { policyOf } from '../../operations.ts'
import { rateLimited } from './partner-limits.ts'

const SECOND_MS = 1_000

/**
 * Limits the requests per second of one address to the routes that need no credentials. Each process counts
 * for itself.
 */
export function rateLimitByAddress(perSecond: number): RequestHandler {
  const requests = createWindowCounter(SECOND_MS)
  return (req, _res, next) => {
    if (requests.count(addressOf(req)) > perSecond)
      throw new Failure('rate_limited', { retryAfterSeconds: 1 })
    next()
  }
}

const MINUTE_MS = 60_000
/** The limit of an address for all codes together, as a multiple of the limit for one code. */
const ADDRESS_FACTOR = 10

/** The error codes of a wrong credential. */
const WRONG_CREDENTIAL: ReadonlySet<ErrorCode> = new Set([
  'credentials_invalid',
  'partner_invalid',
  'token_invalid',
  'token_used',
])

/**
 * Counts a wrong credential by address and claimed code, and by address. Returns how long the address must wait
 * if it is over the limit. Each process counts for itself.
 */
export type CredentialThrottle = (address: string, claimed: string | undefined) => number | undefined

export function createCredentialThrottle({ refusedCredentialsPerMinute: limit }: Config): CredentialThrottle {
  const { count, msLeft } = createWindowCounter(MINUTE_MS)
  return (address, claimed) => {
    // Once an address is over its own limit, its codes are no longer counted.
    const isOver = count(address) > ADDRESS_FACTOR * limit || count(`${address}\n${claimed}`) > limit
    return isOver ? msLeft() : undefined
  }
}

/**
 * Over the limit, a wrong credential gets 429. The limit applies only after a credential was refused: a valid
 * credential is always accepted, also from the same address and with the same code.
 */
export function rateLimitRefusedCredentials(throttle: CredentialThrottle): ErrorRequestHandler {
  return (thrown, req, _res, next) => {
    const refusal: unknown = req.exchange.refusal ?? thrown
    if (!(refusal instanceof Failure && isWrongCredential(refusal))) return next(thrown)
    const policy = policyOf(req.openapi?.schema.operationId)
    if (!policy) return next(thrown)
    const { authentication } = policy
    wrongCredentials.inc({ kind: authentication })
    const waitMs = throttle(addressOf(req), String(claimedCodeOf(req, authentication)))
    if (waitMs !== undefined) req.exchange.refusal = rateLimited(waitMs, CHECK_OF[refusal.code])
    next(thrown)
  }
}

const isWrongCredential = ({ code, reason }: Failure) =>
  WRONG_CREDENTIAL.has(code) || reason === UNKNOWN_SESSION

/** The code that the request presents with its secret. A bearer token is both. */
function claimedCodeOf({ headers, body }: Request, authentication: Policy['authentication']): unknown {
  if (authentication === 'secret_headers') return headers['x-secret-code']
  if (authentication === 'secret_in_body') return (body as { partner_code?: unknown }).partner_code
  return headers.authorization ?? headers.cookie
}
