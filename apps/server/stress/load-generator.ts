import { setTimeout as sleep } from 'node:timers/promises'

/** The result of a request: when it was sent, its duration, its status, and its Retry-After. */
export type Answer = { atMs: number; tookMs: number; status: number; retryAfter: string | null }

async function send(call: () => Promise<Response>, answers: Answer[]): Promise<void> {
  const atMs = performance.now()
  const response = await call()
  await response.arrayBuffer()
  const { status, headers } = response
  answers.push({ atMs, tookMs: performance.now() - atMs, status, retryAfter: headers.get('retry-after') })
}

/**
 * The responses with 200 per second for this number of callers, each of which sends one request after the
 * other.
 */
export async function measureCapacity(call: () => Promise<Response>, callers: number, forMs: number): Promise<number> {
  const answers: Answer[] = []
  const endsAtMs = performance.now() + forMs
  const callAgain = async () => {
    while (performance.now() < endsAtMs) await send(call, answers)
  }
  await Promise.all(Array.from({ length: callers }, callAgain))
  return (answers.filter(({ status }) => status === 200).length * 1000) / forMs
}

/**
 * An open-loop load generator: sends `perSecond` requests, however slow the responses are. `end` waits for
 * the rest.
 */
export function startLoad(call: () => Promise<Response>, perSecond: number) {
  const answers: Answer[] = []
  const failures: unknown[] = []
  let isEnding = false
  const running = (async () => {
    const inFlight: Promise<void>[] = []
    const startedAtMs = performance.now()
    for (let sent = 0; !isEnding; sent++) {
      const earlyMs = startedAtMs + (sent * 1000) / perSecond - performance.now()
      if (earlyMs > 1) await sleep(earlyMs)
      inFlight.push(send(call, answers).catch((error: unknown) => void failures.push(error)))
    }
    await Promise.all(inFlight)
  })()
  return {
    answers,
    failures,
    end: () => {
      isEnding = true
      return running
    },
  }
}

/** The duration at this percentile. */
export function percentile(answers: Answer[], share: number): number {
  const times = answers.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor((times.length * share) / 100))] ?? 0
}
