import {
  type VerifiedWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookHeaders,
} from '@tiwala/client'
import { Webhook } from 'standardwebhooks'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
export const ID = 'evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a'
export const SENT_AT = 1_795_161_612
export const BODY = '{"type":"webhook.test","timestamp":"2026-11-20T08:00:12.345Z","data":{"is_test":true}}'

export const at = (seconds: number) => new Date(seconds * 1000)

/** The signature that the Standard Webhooks library gives. */
export const sign = (body = BODY, secret = SECRET, sentAt = SENT_AT) =>
  new Webhook(secret).sign(ID, at(sentAt), body)

export const headersWith = (signature: string, sentAt = SENT_AT) => ({
  'webhook-id': ID,
  'webhook-timestamp': String(sentAt),
  'webhook-signature': signature,
})

export type Given = {
  body?: string | Uint8Array
  headers?: WebhookHeaders
  secret?: string | string[]
  now?: Date
  toleranceSeconds?: number
}

/** Verifies an event that is valid except for the given overrides. */
export const verify = ({
  body = BODY,
  headers = headersWith(sign()),
  secret = SECRET,
  now = at(SENT_AT),
  ...options
}: Given = {}): Promise<VerifiedWebhook> => verifyWebhook(body, headers, secret, { now, ...options })

/** The result of the verification: an error code, or `verified`. */
export async function verificationOutcome(given: Given): Promise<WebhookErrorCode | 'verified'> {
  const outcome = await verify(given).catch((error: unknown) => error)
  if (outcome instanceof WebhookError) return outcome.code
  if (outcome instanceof Error) throw outcome
  return 'verified'
}
