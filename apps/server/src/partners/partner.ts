import type { Schemas } from '@tiwala/contract'

export const PARTNER_CODE = /^[A-Z0-9_]{2,32}$/

export type PartnerRow = Omit<Schemas['Partner'], 'created_at'> & { id: number; created_at: Date }

/**
 * The partner of a request, and the secret by which it was authenticated. `today` is the day in the
 * configured time zone.
 */
export type AuthenticatedPartner = PartnerRow & {
  today: string
  used_today: number
  access_version: number
  credential_id: number
}

/**
 * What authenticated a request. A statement that discloses or redeems checks that it is still current
 * (`hasCurrentAccess`).
 */
export type Access = { partnerId: number; credentialId: number; accessVersion: number }

export const accessOf = ({ id, credential_id, access_version }: AuthenticatedPartner): Access => ({
  partnerId: id,
  credentialId: credential_id,
  accessVersion: access_version,
})

/** A valid secret, as its HMAC. `last_used_on`: a date, `YYYY-MM-DD`. */
export type Secret = { id: number; mac: string; last_used_on: string | null }

/** A partner in the cache: everything except the credential of one request. */
export type CachedPartner = { partner: Omit<AuthenticatedPartner, 'credential_id'>; secrets: Secret[] }
