// Traffic that comes when it comes, whatever became of what came before (an open loop), and a count of it by the second.
import { setTimeout as sleep } from 'node:timers/promises'

export type Journey = (pause: () => Promise<void>) => Promise<void>

/** Between the steps of a journey, so that what was made before a rotation is used after it. */
const LONGEST_PAUSE_MS = 2_500

export type Tally = { sent: number; failures: unknown[]; slowestMs: number; lateMs: number }

/** `fetch` that counts what it sends. */
export function countingFetch(tally: Tally, fetch: (request: Request) => Promise<Response>) {
  return async (request: Request) => {
    tally.sent++
    const startedAtMs = performance.now()
    const response = await fetch(request)
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAtMs)
    return response
  }
}

/** Begins a journey, in turn, at each tick of an even clock, until it is ended; then waits for those under way. */
export function startTraffic(journeys: Journey[], journeysPerSecond: number, tally: Tally) {
  let isEnding = false
  const pause = () => sleep(isEnding ? 0 : Math.random() * LONGEST_PAUSE_MS)
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
    /** Of the time until now. */
    perSecond: () => (tally.sent * 1000) / (performance.now() - startedAtMs),
    end: async () => {
      isEnding = true
      await running
    },
  }
}
