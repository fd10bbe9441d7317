import { Webhook } from 'standardwebhooks'
import { deadLetters, deliveryAttempts, deliveryLagSeconds } from '../metrics/registry.ts'
import { readTraceparent, runIn, type Span, tracing } from '../metrics/tracing.ts'
import type { Service } from '../operation.ts'
import type { ClaimedEvent } from './claim-events.sql.ts'
import { eventBody } from './delivery.ts'
import { type AttemptResult, recordAttempt } from './record-attempt.sql.ts'
import { nextDelaySeconds } from './retry-schedule.ts'
import type { Sender, SendResult } from './send.ts'
import { webhookSecret } from './webhook-secret.ts'

type Delivery = { event: ClaimedEvent; sender: Sender; signal: AbortSignal }

/** Makes one attempt to deliver one claimed event. */
export async function deliver(service: Service, delivery: Delivery): Promise<void> {
  const { type, attempts, traceparent } = delivery.event
  const span = tracing?.startRoot('client', 'delivery', readTraceparent(traceparent))
  const attributes = { 'tiwala.event_type': type, 'tiwala.attempt': attempts + 1 }
  try {
    const { outcome, status } = await runIn(span, () => attemptOnce(service, delivery, span))
    span?.end({ ...attributes, 'tiwala.outcome': outcome }, undefined, status !== 'DELIVERED')
  } catch (error) {
    span?.end(attributes, undefined, true)
    throw error
  }
}

async function attemptOnce(
  service: Service,
  { event, sender, signal }: Delivery,
  span?: Span,
): Promise<DeliveryState> {
  const traceparent = span?.isSampled ? span.traceparent : event.traceparent
  const startedAtMs = performance.now()
  const result = await attempt(service, sender, { ...event, traceparent }, signal)
  const durationMs = Math.round(performance.now() - startedAtMs)
  const state = nextDeliveryState(result, event.attempts + 1)
  const { id, claimed_until: claimedUntil, callback_url: callbackUrl } = event
  const stored = await recordAttempt(service.db, { id, claimedUntil, callbackUrl, durationMs, ...state })
  count(event, result)
  if (stored?.status === 'DEAD') deadLetters.inc()
  return state
}

function count({ lag_seconds }: ClaimedEvent, result: SendResult): void {
  const outcome = 'status' in result ? `${Math.floor(result.status / 100)}xx` : result.failure
  deliveryAttempts.inc({ outcome })
  if (lag_seconds !== null) deliveryLagSeconds.observe(lag_seconds)
}

function attempt(
  { keys }: Service,
  sender: Sender,
  event: ClaimedEvent,
  signal: AbortSignal,
): Promise<SendResult> | SendResult {
  if (!event.callback_url) return { failure: 'no callback URL' }
  if (event.is_disabled) return { failure: 'disabled' }
  if (event.is_suspended) return { failure: 'partner suspended' }
  const body = eventBody(event)
  const secrets = event.salts.map((salt) => webhookSecret(keys, salt))
  const headers = {
    ...signHeaders(secrets, { webhookId: event.webhook_id, body }),
    ...(event.traceparent && { traceparent: event.traceparent }),
  }
  return sender.send({ url: event.callback_url, headers, body, signal })
}

/** The headers of an event, signed now with each secret (Standard Webhooks). */
export function signHeaders(secrets: string[], { webhookId, body }: { webhookId: string; body: string }) {
  const now = new Date()
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Tiwala',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(webhookId, now, body)).join(' '),
  }
}

export type DeliveryState = Omit<AttemptResult, 'id' | 'claimedUntil' | 'callbackUrl' | 'durationMs'>

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
