import { randomUUID } from 'node:crypto'
import { derive, type KeyRing } from '../secrets/key-ring.ts'

/** What a new webhook secret is derived from; it names the key, and tells nothing without it. */
export const mintSalt = (keys: KeyRing) => `${keys.current('webhook').kid}.${randomUUID()}`

/** Of the sandbox partner: the same at every start. */
export const sandboxSalt = (keys: KeyRing) => `${keys.current('sandbox').kid}.sandbox`

/** What signs a partner's events (Standard Webhooks: `whsec_` and base64 of 32 bytes). It follows from the key ring and the salt, and is stored nowhere. */
export function webhookSecret(keys: KeyRing, salt: string): string {
  const kid = salt.split('.')[0]!
  const key = keys.find('webhook', kid) ?? keys.find('sandbox', kid)
  if (!key) throw new Error(`The key ring lacks the key ${kid}, from which a webhook secret is derived.`)
  return `whsec_${derive(key, 'webhook_secret', salt).toString('base64')}`
}
