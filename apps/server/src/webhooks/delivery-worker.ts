// Delivers events to the callback URLs of partners (webhooks), at least once.
//
// A worker claims events that are due in the table `callback_event`, attempts them and stores the outcomes. It
// has two pools: one for endpoints whose last attempt succeeded, one with few events for failing endpoints.
//
// States of an event: PENDING (due, claimed or waiting for its next attempt), DELIVERED, DEAD (no attempt is
// left, no callback URL, the endpoint answered 410, or the endpoint is disabled since it answered 410).
//
// Example: an attempt gets HTTP 503. The event stays PENDING, and becomes due again in about 5 seconds, in
// the pool of failing endpoints.
//
// Guarantees: an event that is committed is delivered or becomes DEAD, even if processes crash: the claim of a
// process that died ends, and another process claims the event. An event may be delivered twice; `webhook-id`
// is then the same. Failing endpoints take no attempts from the others; slow ones delay the others only within
// the bound that `delivery-pool.ts` states. Any number of processes may run a worker. No transaction is open
// during an attempt.
import { describeError } from '../describe-error.ts'
import type { Service } from '../operation.ts'
import { type ClaimedEvent, claimEvents } from './claim-events.sql.ts'
import { deliver } from './deliver.ts'
import { startDeliveryPool } from './delivery-pool.ts'
import { createSender } from './send.ts'

/**
 * When the worker stops, attempts in flight get this long. The events of unfinished ones are claimed again, by
 * any process.
 */
const STOP_TIMEOUT_MS = 5_000

const POOLS = [
  { isFailing: false, maxPerEndpoint: 64 },
  { isFailing: true, maxPerEndpoint: 4 },
]

export function startDeliveryWorker(service: Service): { stop(): Promise<void> } {
  const { db, config, notifications, log } = service
  const stopping = new AbortController()
  const sender = createSender(config.callbackAddresses)
  const warn = (message: string) => (error: unknown) => {
    if (!stopping.signal.aborted) log.warn(describeError(error), message)
  }

  const pools = POOLS.map(({ isFailing, maxPerEndpoint }) =>
    startDeliveryPool<ClaimedEvent>({
      claim: (claim) =>
        claimEvents(db, { ...claim, isFailing }).catch((error: unknown) => {
          warn('events could not be claimed; retrying in a second')(error)
          return []
        }),
      // Rejects only if the service or the database fails. Then the event keeps its claim, and is attempted
      // again when the claim ends.
      attempt: (event) =>
        deliver(service, { event, sender, signal: stopping.signal }).catch(
          warn('a delivery attempt failed in the service; retrying within half a minute'),
        ),
      maxPerEndpoint,
    }),
  )
  const stopListening = notifications.onEvent(() => pools.forEach(({ wake }) => wake()))

  return {
    stop: async () => {
      stopListening()
      const stopTimeout = setTimeout(() => stopping.abort(), STOP_TIMEOUT_MS)
      await Promise.all(pools.map(({ end }) => end()))
      clearTimeout(stopTimeout)
      sender.close()
    },
  }
}
