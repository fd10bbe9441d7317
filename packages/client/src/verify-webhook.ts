import type { WebhookEvent } from '@tiwala/contract/partner'
import { WebhookError } from './webhook-error.ts'

/** `Headers`, or a plain record as `node:http` and Express give it. */
export type WebhookHeaders = Pick<Headers, 'get'> | Record<string, string | string[] | undefined>

export type VerifyWebhookOptions = {
  /** How far `webhook-timestamp` may lie from now, either way. Default: 300. */
  toleranceSeconds?: number
  /** Another time than this machine's. */
  now?: Date
}

export type VerifiedWebhook = {
  /** The same at every attempt to deliver this event: remember it, and do nothing the second time. */
  id: string
  /** When this attempt was made; `event.timestamp` is when it happened. */
  timestamp: Date
  event: WebhookEvent
}

/**
 * The event that arrived at your callback URL, once it is certain that the service sent it just now (Standard Webhooks, `v1`).
 * Rejects with a `WebhookError` otherwise.
 *
 * `rawBody` is the body as it was received, before anything parsed it. While you change the secret, give both.
 *
 * Who signed it is checked; what it says is not, beyond being an object with a `type`. The service will send types that this
 * version does not know: ignore them (`default:`) and answer 2xx all the same.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions = {},
): Promise<VerifiedWebhook> {
  const keys = await Promise.all([secret].flat().map(importKey))
  if (keys.length === 0) throw new WebhookError('secret_invalid')

  const [id, sentAt, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name))
  if (!id || !sentAt || !signatures) throw new WebhookError('headers_missing')

  if (!/^\d{1,12}$/.test(sentAt)) throw new WebhookError('timestamp_invalid')
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(sentAt)
  if (ageSeconds > toleranceSeconds) throw new WebhookError('timestamp_too_old')
  if (ageSeconds < -toleranceSeconds) throw new WebhookError('timestamp_too_new')

  // A blob takes text and bytes alike, and turns what somebody has parsed already into a text that nobody signed.
  const body = new Blob([rawBody])
  const signed = await new Blob([`${id}.${sentAt}.`, body]).arrayBuffer()
  if (!(await isSigned(signed, signatures, keys))) throw new WebhookError('signature_invalid')

  const event = parseEvent(await body.text())
  if (!event) throw new WebhookError('body_invalid')
  return { id, timestamp: new Date(Number(sentAt) * 1000), event }
}

type Key = Awaited<ReturnType<typeof importKey>>

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** Of 24 to 64 bytes, as Standard Webhooks has it: half a secret is not taken for one. */
async function importKey(secret: string) {
  const bytes = fromBase64(/^whsec_(.+)$/.exec(secret)?.[1] ?? '')
  if (!bytes || bytes.length < 24 || bytes.length > 64) throw new WebhookError('secret_invalid')
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
}

/** `subtle.verify` compares in constant time. Versions other than `v1` are not ours to judge. */
async function isSigned(signed: ArrayBuffer, signatures: string, keys: Key[]): Promise<boolean> {
  const candidates = signatures.split(' ').flatMap((text) => fromBase64(/^v1,(.+)$/.exec(text)?.[1] ?? '') ?? [])
  const verdicts = keys.flatMap((key) => candidates.map((candidate) => crypto.subtle.verify(HMAC, key, candidate, signed)))
  return (await Promise.all(verdicts)).includes(true)
}

/** `undefined`: not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** `undefined`: not JSON, no object, or without a type. */
function parseEvent(body: string): WebhookEvent | undefined {
  try {
    const event = JSON.parse(body) as WebhookEvent | null
    return typeof event?.type === 'string' ? event : undefined
  } catch {
    return undefined
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return [value ?? []].flat().join(' ')
}

const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> => typeof headers.get === 'function'
