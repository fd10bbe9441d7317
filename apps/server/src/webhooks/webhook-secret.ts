import { randomUUID } from 'node:crypto'
import { derive, type KeyRing } from '../secrets/key-ring.ts'

/**
 * A new webhook secret is derived from this salt and the key that it names. Without the key the salt is
 * useless.
 */
export const mintSalt = (keys: KeyRing) => `${keys.current('webhook').kid}.${randomUUID()}`

/** The salt of the sandbox partner, the same at every start. */
export const sandboxSalt = (keys: KeyRing) => `${keys.current('sandbox').kid}.sandbox`

/**
 * The secret that signs a partner's events (Standard Webhooks: `whsec_` and base64 of 32 bytes). It is
 * derived from the key ring and the salt, and is never stored.
 */
export function webhookSecret(keys: KeyRing, salt: string): string {
  const kid = salt.split('.')[0]!
  const key = keys.find('webhook', kid) ?? keys.find('sandbox', kid)
  if (!key) throw new Error(`The key ring lacks the key ${kid}, from which a webhook secret is derived.`)
  return `whsec_${derive(key, 'webhook_secret', salt).toString('base64')}`
}
