// The concurrency limits: how many requests may be in flight at once. Latency is the number of requests in
// flight divided by the throughput (Little's law). A request beyond a limit waits in the queue, which is
// fair, instead of in the database or in the event loop, which are not.
//
// Two limits, each between a minimum and `max`:
// - `total`: for all requests together. Only the database shows how many it can process in time, so the limit
//   follows the durations. A request that takes at least half of its deadline lowers it to 70 %; one that
//   takes less than a quarter raises it by 0.1, so ten such requests raise it by one.
// - `perCaller`: for one caller while callers compete. It follows the lag of a timer: a timer that fires more
//   than 4 ms late waited for other requests, and each step of a request waits as long for the event loop.
//   Lag lowers the limit to 80 %; a timer in time raises it by one.
//
// Example: deadline 1 s, `total` 100. The database becomes slow and a request takes 600 ms: `total` is 70.
// Requests that began before this step are ignored if they are slow, because they began under the old limit.
// The next slow request that began after it makes `total` 49. When requests take less than 250 ms again,
// `total` grows back to 100.
//
// Guarantee: `total` never falls below 10 and `perCaller` never below 4 (or `max`, if that is less).
const MIN_TOTAL = 10
const DECREASE = 0.7
const INCREASE = 0.1

const MIN_PER_CALLER = 4
const MAX_LAG_MS = 4
const DECREASE_ON_LAG = 0.8

export function createConcurrencyLimit(max: number, deadlineMs: number) {
  let total = max
  let perCaller = max
  let decreasedAtMs = 0
  return {
    total: () => Math.floor(total),
    perCaller: () => Math.floor(perCaller),
    recordDuration(durationMs: number): void {
      if (durationMs < deadlineMs / 4) total = Math.min(max, total + INCREASE)
      if (durationMs < deadlineMs / 2) return
      const nowMs = performance.now()
      if (nowMs - durationMs < decreasedAtMs) return
      total = Math.max(Math.min(max, MIN_TOTAL), total * DECREASE)
      decreasedAtMs = nowMs
    },
    recordLag(lagMs: number): void {
      perCaller =
        lagMs > MAX_LAG_MS
          ? Math.max(Math.min(max, MIN_PER_CALLER), perCaller * DECREASE_ON_LAG)
          : Math.min(max, perCaller + 1)
    },
  }
}
