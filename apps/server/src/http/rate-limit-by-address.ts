import type { RequestHandler } from 'express'
import { addressOf } from '../authentication/claims.ts'
import { Failure } from '../failure.ts'

const SECOND_MS = 1_000
/** Limits the memory. Beyond this number, new addresses share one counter. */
const MAX_ADDRESSES = 10_000
const SHARED = 'others'

/**
 * Limits the requests per second of one address to the routes that need no credentials. Each process counts
 * for itself.
 */
export function rateLimitByAddress(perSecond: number): RequestHandler {
  const counts = new Map<string, number>()
  let endsAtMs = 0
  return (req, _res, next) => {
    const nowMs = performance.now()
    if (nowMs >= endsAtMs) {
      counts.clear()
      endsAtMs = nowMs + SECOND_MS
    }
    const address = addressOf(req)
    const counted = counts.has(address) || counts.size < MAX_ADDRESSES ? address : SHARED
    const requests = (counts.get(counted) ?? 0) + 1
    counts.set(counted, requests)
    if (requests > perSecond) throw new Failure('rate_limited', { retryAfterSeconds: 1 })
    next()
  }
}
