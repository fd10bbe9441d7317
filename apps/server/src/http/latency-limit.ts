const LEAST = 10
const SHRINKING = 0.7
/** So many answers in good time make up for one that was not. */
const GROWING = 0.1

/**
 * How many may be worked on at once for each to be done in half of its time. Latency is number by throughput (Little's law), and what the
 * throughput is, only the database knows: late ones lower the number, timely ones raise it again.
 */
export function createLimit(most: number, answerWithinMs: number) {
  let limit = most
  let shrunkAtMs = 0
  return {
    now: () => Math.floor(limit),
    note(tookMs: number): void {
      if (tookMs < answerWithinMs / 4) limit = Math.min(most, limit + GROWING)
      if (tookMs < answerWithinMs / 2) return
      const nowMs = performance.now()
      // Whoever began before the last step could not know of it.
      if (nowMs - tookMs < shrunkAtMs) return
      limit = Math.max(Math.min(most, LEAST), limit * SHRINKING)
      shrunkAtMs = nowMs
    },
  }
}
