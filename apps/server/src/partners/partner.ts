import type { Schemas } from '@tiwala/contract'

export type PartnerRow = Omit<Schemas['Partner'], 'created_at'> & { id: number; created_at: Date }

/** A partner that calls, and the secret it was authenticated by. Its day is that of the setting's time zone. */
export type AuthenticatedPartner = PartnerRow & { today: string; used_today: number; access_version: number; credential_id: number }

/** What a caller was authenticated by. A statement that discloses or redeems checks that it still holds (`hasCurrentAccess`). */
export type Access = { partnerId: number; credentialId: number; accessVersion: number }

export const accessOf = ({ id, credential_id, access_version }: AuthenticatedPartner): Access => ({
  partnerId: id,
  credentialId: credential_id,
  accessVersion: access_version,
})

/** A valid secret, as its HMAC. `last_used_on`: a date, `YYYY-MM-DD`. */
export type Secret = { id: number; mac: string; last_used_on: string | null }

/** What the cache holds of a partner: everything but the credential of one request. */
export type CachedPartner = { partner: Omit<AuthenticatedPartner, 'credential_id'>; secrets: Secret[] }
