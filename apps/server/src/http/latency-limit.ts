const LEAST = 10
const SHRINKING = 0.7
/** So many timely answers raise the limit by one. */
const GROWING = 0.1

const LEAST_OF_CALLER = 4
/** A timer that is so late waited for other requests: each step of a request waits as long for the event loop. */
const LATE_MS = 4
const SHRINKING_WHEN_LATE = 0.8

/**
 * How many requests may be in flight at once. Latency is in-flight requests divided by throughput (Little's law). Beyond these limits a
 * request waits in the queue, which is fair, instead of in the database or the event loop, which are not.
 *
 * - In total: as many as are answered in half of their time. Only the database knows how many that is: late answers lower the limit,
 *   timely ones raise it.
 * - Of one caller that competes with others: as many as leave the event loop responsive. Late timers lower the limit, timely ones raise it.
 */
export function createLimit(most: number, deadlineMs: number) {
  let total = most
  let ofCaller = most
  let shrunkAtMs = 0
  return {
    total: () => Math.floor(total),
    ofCaller: () => Math.floor(ofCaller),
    note(tookMs: number): void {
      if (tookMs < deadlineMs / 4) total = Math.min(most, total + GROWING)
      if (tookMs < deadlineMs / 2) return
      const nowMs = performance.now()
      // A request that began before the last step could not know of it.
      if (nowMs - tookMs < shrunkAtMs) return
      total = Math.max(Math.min(most, LEAST), total * SHRINKING)
      shrunkAtMs = nowMs
    },
    recordLag(lagMs: number): void {
      ofCaller = lagMs > LATE_MS ? Math.max(Math.min(most, LEAST_OF_CALLER), ofCaller * SHRINKING_WHEN_LATE) : Math.min(most, ofCaller + 1)
    },
  }
}
