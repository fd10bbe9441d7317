import type { Schemas } from '@tiwala/contract'
import type { CredentialRow } from './store.ts'

export function toCredential(row: CredentialRow): Schemas['Credential'] {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_on: row.last_used_on,
  }
}
