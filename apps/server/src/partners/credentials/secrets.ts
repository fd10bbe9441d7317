import type { KeyRing } from '../../secrets/key-ring.ts'
import type { CredentialKind, CredentialHmac } from './store.ts'

const PREFIX = { secret_token: 'twt', partner_secret: 'tws' } as const

/** Tells a secret's kind and environment to whoever finds it, and to scanners. */
export const secretPrefix = (environment: 'sandbox' | 'live', kind: CredentialKind) =>
  `${PREFIX[kind]}_${environment === 'live' ? 'live' : 'test'}_`

/** How a partner's two secrets are stored. */
export const hmacsOf = (keys: KeyRing, secrets: Record<CredentialKind, string>): CredentialHmac[] =>
  (Object.keys(PREFIX) as CredentialKind[]).map((kind) => ({ kind, mac: keys.hmac(kind, secrets[kind]) }))
