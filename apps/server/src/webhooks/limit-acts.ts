import { Failure } from '../failure.ts'
import { createWindowCounter } from '../limits/window-counter.ts'

const MINUTE_MS = 60_000
const MAX_PER_MINUTE = 60

const acts = createWindowCounter(MINUTE_MS)

/** Replays and test events write to the audit and send requests: each process allows the people of a partner so many. */
export function limitActs(partnerId: number): void {
  if (acts.count(String(partnerId)) > MAX_PER_MINUTE)
    throw new Failure('rate_limited', {
      retryAfterSeconds: Math.ceil(acts.msLeft() / 1_000),
      message: 'At most 60 replays, test events and reports in a minute',
    })
}
