import { Webhook } from 'standardwebhooks'
import type { Service } from '../operation.ts'
import { nextDelaySeconds } from './retry-schedule.ts'
import type { Sender, Sent } from './send.ts'
import { type DueEvent, findDueEvent, requeue, recordAttempt } from './store.ts'
import { webhookSecret } from './webhook-secret.ts'

/** `isFailing`: what was known of the endpoint when the event was queued. */
export type Job = { eventId: number; attempts: number; isFailing: boolean }
/** What is known of a job's event. `undefined`: the job was done already, or is of an earlier round. */
export type Known = { event: DueEvent | undefined; atMs: number }

/** A partner may be suspended, or its callback URL changed, while a job waits: after this time it is looked up again. */
const FRESH_MS = 500

export const lookUp = async ({ db }: Service, { eventId, attempts }: Job): Promise<Known> => ({
  atMs: performance.now(),
  event: await findDueEvent(db, { id: eventId, attempts }),
})

type Delivery = { job: Job; known: Known; sender: Sender; signal: AbortSignal }

/** One attempt to deliver one event, which may have been looked up before. */
export async function deliver(service: Service, { job, known, sender, signal }: Delivery): Promise<void> {
  const isFresh = performance.now() - known.atMs < FRESH_MS
  const { event } = isFresh ? known : await lookUp(service, job)
  if (!event) return
  // It has failed since it was queued: it must not take slots from the others, and is queued again among the failing.
  if (event.is_failing && !job.isFailing) return requeue(service.db, event)
  const sent = await attempt(service, sender, event, signal)
  await recordAttempt(service.db, { id: event.id, ...judge(sent, event.attempts + 1) })
}

function attempt({ keys }: Service, sender: Sender, event: DueEvent, signal: AbortSignal): Promise<Sent> | Sent {
  if (!event.callback_url) return { failure: 'no callback URL' }
  if (event.is_disabled) return { failure: 'disabled' }
  if (event.is_suspended) return { failure: 'partner suspended' }
  const body = JSON.stringify({ type: event.type, timestamp: event.occurred_at.toISOString(), data: event.data })
  const now = new Date()
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Tiwala',
    'webhook-id': event.webhook_id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': event.salts.map((salt) => new Webhook(webhookSecret(keys, salt)).sign(event.webhook_id, now, body)).join(' '),
  }
  return sender.send({ url: event.callback_url, headers, body, signal })
}

export type DeliveryState = {
  status: 'PENDING' | 'DELIVERED' | 'DEAD'
  outcome: string
  nextDelaySeconds: number | null
  /** The partner's server wants no more events (410 Gone). */
  disables: boolean
}

/** What follows from an attempt, the `attempts`-th. */
export function judge(sent: Sent, attempts: number): DeliveryState {
  const outcome = 'failure' in sent ? sent.failure : `HTTP ${sent.status}`
  const status = 'failure' in sent ? undefined : sent.status
  const verdict = { outcome, nextDelaySeconds: null, disables: status === 410 }
  if (status !== undefined && status >= 200 && status < 300) return { ...verdict, status: 'DELIVERED' }
  // Nothing that time mends.
  if (status === 410 || outcome === 'disabled' || outcome === 'no callback URL') return { ...verdict, status: 'DEAD' }
  const delay = nextDelaySeconds(attempts, 'retryAfterSeconds' in sent ? sent.retryAfterSeconds : undefined)
  return delay === undefined ? { ...verdict, status: 'DEAD' } : { ...verdict, status: 'PENDING', nextDelaySeconds: delay }
}
