import type { RequestHandler } from 'express'
import { Failure } from '../failure.ts'
import { createWindowCounter } from '../limits/window-counter.ts'
import { addressOf } from '../network/addresses.ts'

const SECOND_MS = 1_000
const MAX_ADDRESSES = 10_000

/**
 * Limits the requests per second of one address to the routes that need no credentials. Each process counts
 * for itself.
 */
export function rateLimitByAddress(perSecond: number): RequestHandler {
  const requests = createWindowCounter(SECOND_MS, MAX_ADDRESSES)
  return (req, _res, next) => {
    if (requests.count(addressOf(req)) > perSecond)
      throw new Failure('rate_limited', { retryAfterSeconds: 1 })
    next()
  }
}
