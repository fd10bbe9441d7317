// Open-loop traffic: journeys start at a fixed rate, whether or not earlier ones have ended. It counts the
// requests per second.
import { setTimeout as sleep } from 'node:timers/promises'

export type Journey = (pause: () => Promise<void>) => Promise<void>

/**
 * The longest pause between two steps of a journey, so that values issued before a rotation are used after
 * it.
 */
const MAX_PAUSE_MS = 2_500

export type Tally = { sent: number; failures: unknown[]; slowestMs: number; lateMs: number }

/** `fetch` that counts its requests and measures the slowest. */
export function countingFetch(tally: Tally) {
  return async (request: Request) => {
    tally.sent++
    const startedAtMs = performance.now()
    const response = await fetch(request)
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAtMs)
    return response
  }
}

/** Starts the journeys in turn at a fixed rate until `end` is called, and then waits for those in flight. */
export function startTraffic(journeys: Journey[], journeysPerSecond: number, tally: Tally) {
  let isEnding = false
  const pause = () => sleep(isEnding ? 0 : Math.random() * MAX_PAUSE_MS)
  const startedAtMs = performance.now()
  const running = (async () => {
    const inFlight = new Set<Promise<unknown>>()
    for (let turn = 0; !isEnding; turn++) {
      const dueMs = startedAtMs + (turn * 1000) / journeysPerSecond
      await sleep(Math.max(0, dueMs - performance.now()))
      tally.lateMs = Math.max(tally.lateMs, performance.now() - dueMs)
      const done = journeys[turn % journeys.length]!(pause)
        .catch((error: unknown) => tally.failures.push(error))
        .finally(() => inFlight.delete(done))
      inFlight.add(done)
    }
    await Promise.all(inFlight)
  })()
  return {
    /** The requests per second since the start. */
    perSecond: () => (tally.sent * 1000) / (performance.now() - startedAtMs),
    end: async () => {
      isEnding = true
      await running
    },
  }
}
