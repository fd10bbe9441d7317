import type { KeyRing } from '../../secrets/key-ring.ts'
import type { CredentialKind, CredentialHmac } from './store.ts'

const PREFIX = { secret_token: 'twt', partner_secret: 'tws' } as const

/** The prefix shows people and secret scanners the kind and environment of a secret. */
export const secretPrefix = (environment: 'sandbox' | 'live', kind: CredentialKind) =>
  `${PREFIX[kind]}_${environment === 'live' ? 'live' : 'test'}_`

/** A partner's two secrets, as stored. */
export const hmacsOf = (keys: KeyRing, secrets: Record<CredentialKind, string>): CredentialHmac[] =>
  (Object.keys(PREFIX) as CredentialKind[]).map((kind) => ({ kind, mac: keys.hmac(kind, secrets[kind]) }))
