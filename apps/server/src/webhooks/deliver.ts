import { Webhook } from 'standardwebhooks'
import { deadLetters, deliveryAttempts, deliveryLagSeconds } from '../metrics/registry.ts'
import type { Service } from '../operation.ts'
import { nextDelaySeconds } from './retry-schedule.ts'
import type { Sender, SendResult } from './send.ts'
import { type DueEvent, findDueEvent, requeue, recordAttempt } from './store.ts'
import { webhookSecret } from './webhook-secret.ts'

/** `isFailing`: whether the endpoint's last attempt had failed when the event was queued. */
export type Job = { eventId: number; attempts: number; isFailing: boolean }
/**
 * The event of a job, as read at `atMs`. `undefined`: the job was done already, or the event was replayed
 * since.
 */
export type EventLookup = { event: DueEvent | undefined; atMs: number }

/**
 * While a job waits, its partner may be suspended or its callback URL changed. After this time the event is
 * read again.
 */
const LOOKUP_TTL_MS = 500

export const lookUpEvent = async ({ db }: Service, { eventId, attempts }: Job): Promise<EventLookup> => ({
  atMs: performance.now(),
  event: await findDueEvent(db, { id: eventId, attempts }),
})

type Delivery = { job: Job; lookup: EventLookup; sender: Sender; signal: AbortSignal }

/** Makes one attempt to deliver one event. */
export async function deliver(service: Service, { job, lookup, sender, signal }: Delivery): Promise<void> {
  const isFresh = performance.now() - lookup.atMs < LOOKUP_TTL_MS
  const { event, atMs } = isFresh ? lookup : await lookUpEvent(service, job)
  if (!event) return
  // The endpoint has failed since the event was queued. The event is queued again, among those of failing
  // endpoints.
  if (event.is_failing && !job.isFailing) return requeue(service.db, event)
  const lookupAgeMs = performance.now() - atMs
  const result = await attempt(service, sender, event, signal)
  const state = nextDeliveryState(result, event.attempts + 1)
  await recordAttempt(service.db, { id: event.id, ...state })
  if (!event.is_private) count(event, result, state, lookupAgeMs)
}

function count(
  { lag_seconds }: DueEvent,
  result: SendResult,
  { status }: DeliveryState,
  lookupAgeMs: number,
): void {
  const outcome = 'status' in result ? `${Math.floor(result.status / 100)}xx` : result.failure
  deliveryAttempts.inc({ outcome })
  if (lag_seconds !== null) deliveryLagSeconds.observe(lag_seconds + lookupAgeMs / 1_000)
  if (status === 'DEAD') deadLetters.inc()
}

function attempt(
  { keys }: Service,
  sender: Sender,
  event: DueEvent,
  signal: AbortSignal,
): Promise<SendResult> | SendResult {
  if (!event.callback_url) return { failure: 'no callback URL' }
  if (event.is_disabled) return { failure: 'disabled' }
  if (event.is_suspended) return { failure: 'partner suspended' }
  const body = JSON.stringify({
    type: event.type,
    timestamp: event.occurred_at.toISOString(),
    data: event.data,
  })
  const now = new Date()
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Tiwala',
    'webhook-id': event.webhook_id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': event.salts
      .map((salt) => new Webhook(webhookSecret(keys, salt)).sign(event.webhook_id, now, body))
      .join(' '),
    ...(event.traceparent && { traceparent: event.traceparent }),
  }
  return sender.send({ url: event.callback_url, headers, body, signal })
}

export type DeliveryState = {
  status: 'PENDING' | 'DELIVERED' | 'DEAD'
  outcome: string
  nextDelaySeconds: number | null
  /** The partner's server wants no more events (410 Gone). */
  disablesEndpoint: boolean
}

/** The state of a delivery after its attempt number `attempts`. */
export function nextDeliveryState(result: SendResult, attempts: number): DeliveryState {
  const outcome = 'failure' in result ? result.failure : `HTTP ${result.status}`
  const status = 'failure' in result ? undefined : result.status
  const state = { outcome, nextDelaySeconds: null, disablesEndpoint: status === 410 }
  if (status !== undefined && status >= 200 && status < 300) return { ...state, status: 'DELIVERED' }
  // Another attempt would fail, too.
  if (status === 410 || outcome === 'disabled' || outcome === 'no callback URL')
    return { ...state, status: 'DEAD' }
  const delay = nextDelaySeconds(
    attempts,
    'retryAfterSeconds' in result ? result.retryAfterSeconds : undefined,
  )
  return delay === undefined
    ? { ...state, status: 'DEAD' }
    : { ...state, status: 'PENDING', nextDelaySeconds: delay }
}
