const SECOND = 1
const MINUTE = 60
const HOUR = 3600
/** The delay of each attempt after the previous one. The first attempt is made at once. */
const DELAYS_SECONDS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const MAX_DELAY_SECONDS = 24 * HOUR
/** Spreads the next attempts of events that failed together. */
const JITTER = 0.1

/**
 * Seconds until the next attempt after attempt number `attempts`. `undefined`: that was the last one. A
 * longer `Retry-After` of the partner's server is respected.
 */
export function nextDelaySeconds(
  attempts: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined {
  const delay = DELAYS_SECONDS[attempts]
  if (delay === undefined) return undefined
  const jittered = delay * (1 + JITTER * (2 * random() - 1))
  return Math.min(MAX_DELAY_SECONDS * (1 + JITTER), Math.max(jittered, retryAfterSeconds))
}
