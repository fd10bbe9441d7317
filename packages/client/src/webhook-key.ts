// The keys of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA-256 over `id.timestamp.body`.
import { WebhookError } from './webhook-error.ts'

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** A key has 24 to 64 bytes, as in Standard Webhooks. An incomplete secret is therefore refused. */
export async function importKey(secret: string, usage: 'sign' | 'verify') {
  const bytes = fromBase64(/^whsec_(.+)$/.exec(secret)?.[1] ?? '')
  if (!bytes || bytes.length < 24 || bytes.length > 64) throw new WebhookError('secret_invalid')
  return crypto.subtle.importKey('raw', bytes, HMAC, false, [usage])
}

export const signedBytes = (id: string, sentAt: string, body: Blob): Promise<ArrayBuffer> =>
  new Blob([`${id}.${sentAt}.`, body]).arrayBuffer()

/** Returns `undefined` if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
