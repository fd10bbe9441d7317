import { assertDate, assertText } from './check-arguments.ts'
import { fromEnvironment } from './environment.ts'
import type { TestEvent } from './webhook-event.ts'
import { importKey, signedBytes } from './webhook-key.ts'

export type SignTestEventOptions = {
  /** The ID of the event. Default: a new one. */
  id?: string
  /** The time of the delivery. Default: the clock of this machine. */
  now?: Date
}

/**
 * Signs an event as the service does, for the tests of your callback URL. Send `body` as it is, with `headers`.
 * Without a secret, it takes the environment variable `TIWALA_WEBHOOK_SECRET`.
 */
export async function signTestEvent(
  event: TestEvent,
  secret: string = fromEnvironment('TIWALA_WEBHOOK_SECRET', 'secret'),
  { id = `evt_${crypto.randomUUID().replaceAll('-', '')}`, now = new Date() }: SignTestEventOptions = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  assertText('secret', secret)
  assertDate('now', now)
  const body = JSON.stringify({ timestamp: now.toISOString(), ...event })
  return { body, headers: await signBody(body, secret, id, now) }
}

/** The headers of a body, with a signature of Standard Webhooks. */
export async function signBody(
  body: string,
  secret: string,
  id: string,
  now: Date,
): Promise<Record<string, string>> {
  const sentAt = String(Math.floor(now.getTime() / 1000))
  const signed = await signedBytes(id, sentAt, new Blob([body]))
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret, 'sign'), signed))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': sentAt,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  }
}
