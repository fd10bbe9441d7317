import { assertNumber } from '@tiwala/transport'
import { assertDate, assertRawBody, assertText } from './check-arguments.ts'
import { fromEnvironment } from './environment.ts'
import { WebhookError } from './webhook-error.ts'
import type { WebhookEvent } from './webhook-event.ts'
import { fromBase64, importKey, signedBytes } from './webhook-key.ts'

/** The headers of the request: a `Headers` object, or a plain object as in `node:http` and Express. */
export type WebhookHeaders = Pick<Headers, 'get'> | Record<string, string | string[] | undefined>

export type VerifyWebhookOptions = {
  /** How far `webhook-timestamp` may be before or after `now`, in seconds. Default: 300. */
  toleranceSeconds?: number
  /** The time to compare `webhook-timestamp` with. Default: the clock of this machine. */
  now?: Date
}

export type VerifiedWebhook = {
  /**
   * The ID of the event. Each delivery attempt has the same ID: store it, and ignore an event whose ID you
   * have stored.
   */
  id: string
  /** The time of this delivery attempt. `event.timestamp` is the time of the event. */
  timestamp: Date
  /** The event. The field `type` discriminates the union. Its `default` gets an `UnknownEvent`. */
  event: WebhookEvent
}

/**
 * Verifies a request to your callback URL (Standard Webhooks, `v1`), and resolves with its event. Then the
 * service sent the event, and the timestamp is recent. Otherwise it rejects with a `WebhookError`, or with a
 * `TypeError` if an argument is missing or not valid, or if the body was parsed.
 *
 * `rawBody` is the body as you received it, before any parser. While you change the secret, pass both
 * secrets. Without a secret, it takes the environment variable `TIWALA_WEBHOOK_SECRET`.
 *
 * The signature proves the sender. The content is not checked, except that it is an object with a `type`. The
 * service will send types that this version does not know: ignore them (`default:`), and still respond with
 * 2xx.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[] = fromEnvironment('TIWALA_WEBHOOK_SECRET', 'secret'),
  { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions = {},
): Promise<VerifiedWebhook> {
  assertRawBody('rawBody', rawBody)
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('headers must be the headers of the request.')
  assertNumber('toleranceSeconds', toleranceSeconds, 0)
  assertDate('now', now)
  const keys = await Promise.all(
    [secret].flat().map((each) => {
      if (each !== '') assertText('secret', each)
      return importKey(each, 'verify')
    }),
  )
  if (keys.length === 0) throw new WebhookError('secret_invalid')

  const [id, sentAt, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !sentAt || !signatures) throw new WebhookError('headers_missing')

  if (!/^\d{1,12}$/.test(sentAt)) throw new WebhookError('timestamp_invalid')
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(sentAt)
  if (ageSeconds > toleranceSeconds) throw new WebhookError('timestamp_too_old')
  if (ageSeconds < -toleranceSeconds) throw new WebhookError('timestamp_too_new')

  const body = new Blob([rawBody])
  const signed = await signedBytes(id, sentAt, body)
  if (!(await isSigned(signed, signatures, keys))) throw new WebhookError('signature_invalid')

  const event = parseEvent(await body.text())
  if (!event) throw new WebhookError('body_invalid')
  return { id, timestamp: new Date(Number(sentAt) * 1000), event }
}

type Key = Awaited<ReturnType<typeof importKey>>

/** The service sends two at most. Anyone can send more, and each costs a pass over the body. */
const MAX_SIGNATURES = 16
/** Of HMAC-SHA-256. */
const SIGNATURE_BYTES = 32

/** `subtle.verify` compares in constant time. Signatures of other versions than `v1` are ignored. */
async function isSigned(signed: ArrayBuffer, signatures: string, keys: Key[]): Promise<boolean> {
  const candidates = signatures.split(' ', MAX_SIGNATURES).flatMap((text) => {
    const bytes = fromBase64(/^v1,(.+)$/.exec(text)?.[1] ?? '')
    return bytes?.length === SIGNATURE_BYTES ? [bytes] : []
  })
  const results = keys.flatMap((key) =>
    candidates.map((candidate) => crypto.subtle.verify('HMAC', key, candidate, signed)),
  )
  return (await Promise.all(results)).includes(true)
}

/** Returns `undefined` if the body is not JSON, not an object, or has no type. */
function parseEvent(body: string): WebhookEvent | undefined {
  try {
    const event = JSON.parse(body) as WebhookEvent | null
    return typeof event?.type === 'string' ? event : undefined
  } catch {
    return undefined
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return [value ?? []].flat().join(' ')
}

const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> =>
  typeof headers.get === 'function'
