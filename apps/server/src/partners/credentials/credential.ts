import type { Schemas } from '@tiwala/contract'
import type { KeyRing } from '../../secrets/key-ring.ts'

export type CredentialKind = Schemas['CredentialKind']

export type CredentialHmac = { kind: CredentialKind; hmac: string }

type Times = { created_at: Date; expires_at: Date; revoked_at: Date | null }

export type CredentialRow = Omit<Schemas['Credential'], keyof Times> & Times

export function toCredential(row: CredentialRow): Schemas['Credential'] {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    is_superseded: row.is_superseded,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_on: row.last_used_on,
  }
}

const PREFIX = { secret_token: 'twt', partner_secret: 'tws' } as const

/** The prefix shows people and secret scanners the kind and environment of a secret. */
export const secretPrefix = (environment: 'sandbox' | 'live', kind: CredentialKind) =>
  `${PREFIX[kind]}_${environment === 'live' ? 'live' : 'test'}_`

/** A partner's two secrets, as stored. */
export const hmacsOf = (keys: KeyRing, secrets: Record<CredentialKind, string>): CredentialHmac[] =>
  (Object.keys(PREFIX) as CredentialKind[]).map((kind) => ({ kind, hmac: keys.hmac(kind, secrets[kind]) }))
