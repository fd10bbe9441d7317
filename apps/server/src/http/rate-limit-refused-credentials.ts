import type { ErrorRequestHandler } from 'express'
import { addressOf, claimedCodeOf } from '../authentication/claims.ts'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { rateLimited } from './partner-limits.ts'

const MINUTE_MS = 60_000
/** An address may claim several codes: so many times the limit of one. */
const CODES_OF_ADDRESS = 10
/** Bounds the memory. Beyond, addresses and codes that are not counted yet share one count. */
const MAX_COUNTS = 50_000
const SHARED = 'others'

/** Refusals of a wrong credential, and the check that a diagnosis names. */
const CHECK_OF = {
  credentials_invalid: 'credentials',
  partner_invalid: 'credentials',
  token_invalid: 'access_token',
  token_used: 'access_token',
} as const

/**
 * Counts wrong credentials by address and claimed code, and by address. Over the limit, a wrong credential is answered 429. The limit is
 * applied only after the credential was refused: a valid one always gets through, also from the same address and with the same code.
 */
export function rateLimitRefusedCredentials({ perMinute }: Config): ErrorRequestHandler {
  const counts = new Map<string, number>()
  let endsAtMs = 0

  function count(key: string): number {
    if (Date.now() >= endsAtMs) {
      counts.clear()
      endsAtMs = Date.now() + MINUTE_MS
    }
    const counted = counts.has(key) || counts.size < MAX_COUNTS ? key : SHARED
    const refusals = (counts.get(counted) ?? 0) + 1
    counts.set(counted, refusals)
    return refusals
  }

  return (thrown, req, _res, next) => {
    const refusal: unknown = req.refusal ?? thrown
    const check = refusal instanceof Failure && CHECK_OF[refusal.code as keyof typeof CHECK_OF]
    if (!check) return next(thrown)
    const limit = perMinute.refusedCredentials
    // An address that is over its own limit adds no further codes.
    const isOver = count(addressOf(req)) > CODES_OF_ADDRESS * limit || count(claimedCodeOf(req)) > limit
    if (isOver) req.refusal = rateLimited(new Date(endsAtMs), check)
    next(thrown)
  }
}
