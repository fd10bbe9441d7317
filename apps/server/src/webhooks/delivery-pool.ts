// Attempts many events at once, with only as many in flight as the target rate needs: if the process dies, the
// outcome of every attempt in flight is unknown, and the event is delivered again.
//
// Little's law gives that number: attempts in flight = rate x duration. The duration of an endpoint is that of
// its fastest latest attempt. An average would include the time that attempts wait for each other.
//
// States of an event: ready (claimed, not started yet), in flight, ended. An attempt that takes longer than
// 100 ms is slow: it waits for the endpoint, so the next attempt starts.
//
// Example: at 1,000 attempts per second of 5 ms each, 5 attempts are in flight; of 100 ms each, 100.
//
// Guarantees: at most 256 events are claimed. Endpoints take turns. An event is ready for less than a second.
// An endpoint that did not respond yet has at most 2 claimed events; others have as many as the target rate
// needs, but no more than are free, up to `maxPerEndpoint`. So a few slow endpoints leave events to the others,
// but many (128 with 2 events each, or fewer with more) can hold all 256. Then all wait until an attempt ends.
import { startPollLoop } from '../background/poll-loop.ts'
import type { Claim } from './claim-events.sql.ts'

const TARGET_PER_SECOND = 1_000
const MIN_FAST_IN_FLIGHT = 4
/** An attempt that takes longer than this is slow. */
const SLOW_MS = 100
const MAX_CLAIMED = 256
/** While no attempt at an endpoint has ended, its duration is not known. */
const MAX_OF_NEW_ENDPOINT = 2
const MAX_PER_CLAIM = 16
/** Events of an endpoint that are claimed while others are in flight, so that attempts do not wait for claims. */
const CLAIMED_AHEAD = 16
/** No more events are claimed while this many are ready. */
const ENOUGH_READY = 8
/** The duration of an endpoint grows at most by this factor per attempt. */
const MAX_DURATION_GROWTH = 1.05
/** The weight of one attempt in the average duration of all. */
const AVERAGE_WEIGHT = 0.05
/** How often to look for events without a notification, such as those whose next attempt is due. */
const CLAIM_EVERY_MS = 1_000

type Options<Event> = {
  /** Must not reject. */
  claim: (claim: Omit<Claim, 'isFailing'>) => Promise<Event[]>
  /** Must not reject. */
  attempt: (event: Event) => Promise<void>
  maxPerEndpoint: number
}

const inFlightFor = (durationMs: number) => Math.ceil((TARGET_PER_SECOND * durationMs) / 1_000)

/** Claims events and attempts them until it is ended. */
export function startDeliveryPool<Event extends { partner_id: number }>(options: Options<Event>) {
  const { claim, attempt, maxPerEndpoint } = options
  /** The endpoints with claimed events, by partner. Idle ones are removed when no event is due. */
  const endpoints = new Map<number, { claimed: number; durationMs: number | undefined }>()
  const ready: Event[] = []
  const inFlight = new Set<Promise<void>>()
  /** The attempts in flight that are not slow, and the average time until an attempt ends or becomes slow. */
  let fastInFlight = 0
  let averageFastMs = 0

  const limitOf = (durationMs: number | undefined, free: number) => {
    if (durationMs === undefined) return MAX_OF_NEW_ENDPOINT
    return Math.max(
      MAX_OF_NEW_ENDPOINT,
      Math.min(inFlightFor(durationMs) + CLAIMED_AHEAD, free, maxPerEndpoint),
    )
  }

  function startReady(): void {
    while (ready.length > 0 && fastInFlight < Math.max(MIN_FAST_IN_FLIGHT, inFlightFor(averageFastMs)))
      start(ready.shift()!)
  }

  function start(event: Event): void {
    const startedAtMs = performance.now()
    let isFast = true
    fastInFlight++
    const endFast = () => {
      if (isFast) fastInFlight--
      isFast = false
    }
    const slow = setTimeout(() => (endFast(), startReady()), SLOW_MS)
    const ended = attempt(event).finally(() => {
      clearTimeout(slow)
      endFast()
      inFlight.delete(ended)
      const endpoint = endpoints.get(event.partner_id)!
      const maxMs = (endpoint.durationMs ?? Infinity) * MAX_DURATION_GROWTH
      endpoint.durationMs = Math.min(performance.now() - startedAtMs, maxMs)
      averageFastMs += (Math.min(endpoint.durationMs, SLOW_MS) - averageFastMs) * AVERAGE_WEIGHT
      endpoint.claimed--
      startReady()
      claims.wake()
    })
    inFlight.add(ended)
    claims.wake()
  }

  let afterPartnerId = 0
  const claims = startPollLoop(CLAIM_EVERY_MS, async () => {
    const free = MAX_CLAIMED - ready.length - inFlight.size
    if (free === 0 || ready.length >= ENOUGH_READY) return false
    const remaining = new Map(
      [...endpoints].map(([partnerId, { claimed, durationMs }]) => [
        partnerId,
        Math.max(0, limitOf(durationMs, free) - claimed),
      ]),
    )
    const limit = Math.min(MAX_PER_CLAIM, free)
    const events = await claim({ afterPartnerId, limit, perPartner: MAX_OF_NEW_ENDPOINT, remaining })
    for (const event of events) {
      const endpoint = endpoints.get(event.partner_id) ?? { claimed: 0, durationMs: undefined }
      endpoints.set(event.partner_id, endpoint)
      endpoint.claimed++
      ready.push(event)
    }
    if (events.length === 0)
      for (const [partnerId, { claimed }] of endpoints) if (claimed === 0) endpoints.delete(partnerId)
    // The next claim continues after the last partner, or begins again with the first one.
    const isLastPartnerDone = events.length < limit
    const hasMore = events.length > 0 || afterPartnerId > 0
    afterPartnerId = isLastPartnerDone ? 0 : events.at(-1)!.partner_id
    startReady()
    return hasMore
  })

  return {
    wake: claims.wake,
    /** Stops claiming; resolves when all claimed events were attempted. */
    end: async () => {
      await claims.end()
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}
