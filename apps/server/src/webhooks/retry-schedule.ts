/** How long after the one before each attempt is made. The first is made at once. */
const SECOND = 1
const MINUTE = 60
const HOUR = 3600
const DELAYS_SECONDS = [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
const LONGEST_DELAY_SECONDS = 24 * HOUR
/** So that what failed together does not come back together. */
const JITTER = 0.1

/**
 * Seconds until the next attempt after `attempts` of them; `undefined`: that was the last. What the partner's server asks for
 * by `Retry-After` is respected where it is longer.
 */
export function nextDelaySeconds(attempts: number, retryAfterSeconds = 0, random: () => number = Math.random): number | undefined {
  const delay = DELAYS_SECONDS[attempts]
  if (delay === undefined) return undefined
  const jittered = delay * (1 + JITTER * (2 * random() - 1))
  return Math.min(LONGEST_DELAY_SECONDS * (1 + JITTER), Math.max(jittered, retryAfterSeconds))
}
