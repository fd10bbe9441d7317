// Load generators. A closed loop (`measureCapacity`) has a fixed number of callers, each of which waits for
// its response: it measures the capacity. An open loop (`startLoad`) sends at a fixed rate, also while
// responses are slow, as many independent clients do: it shows overload.
// Example: `startLoad(call, 2 * capacity)` sends twice the load that the server can process.
import { setTimeout as sleep } from 'node:timers/promises'

/** The result of a request: when it was sent, its duration, its status, and its Retry-After. */
export type ResponseResult = { atMs: number; tookMs: number; status: number; retryAfter: string | null }

async function send(call: () => Promise<Response>, responses: ResponseResult[]): Promise<void> {
  const atMs = performance.now()
  const response = await call()
  await response.arrayBuffer()
  const { status, headers } = response
  responses.push({ atMs, tookMs: performance.now() - atMs, status, retryAfter: headers.get('retry-after') })
}

/**
 * The responses with 200 per second for this number of callers, each of which sends one request after the
 * other.
 */
export async function measureCapacity(
  call: () => Promise<Response>,
  callers: number,
  forMs: number,
): Promise<number> {
  const responses: ResponseResult[] = []
  const endsAtMs = performance.now() + forMs
  const callAgain = async () => {
    while (performance.now() < endsAtMs) await send(call, responses)
  }
  await Promise.all(Array.from({ length: callers }, callAgain))
  return (responses.filter(({ status }) => status === 200).length * 1000) / forMs
}

/**
 * An open-loop load generator: sends `perSecond` requests, however slow the responses are. `end` waits for
 * the rest.
 */
export function startLoad(call: () => Promise<Response>, perSecond: number) {
  const responses: ResponseResult[] = []
  const failures: unknown[] = []
  let isEnding = false
  const running = (async () => {
    const inFlight: Promise<void>[] = []
    const startedAtMs = performance.now()
    for (let sent = 0; !isEnding; sent++) {
      const earlyMs = startedAtMs + (sent * 1000) / perSecond - performance.now()
      // Also when it is late, responses must get a turn.
      await (earlyMs > 1 ? sleep(earlyMs) : new Promise(setImmediate))
      inFlight.push(send(call, responses).catch((error: unknown) => void failures.push(error)))
    }
    await Promise.all(inFlight)
  })()
  return {
    responses,
    failures,
    end: () => {
      isEnding = true
      return running
    },
  }
}

/** The duration at this percentile. */
export function percentile(responses: ResponseResult[], share: number): number {
  const times = responses.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor((times.length * share) / 100))] ?? 0
}
