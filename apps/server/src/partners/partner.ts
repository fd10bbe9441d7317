import type { Schemas } from '@tiwala/contract'
import type { Config } from '../config.ts'

export const PARTNER_CODE = /^[A-Z0-9_]{2,32}$/
/** The partner of the default sandbox, which all visitors share. That of a visitor's sandbox has more characters after it. */
export const SHARED_PARTNER_CODE = 'SANDBOX'

/** `is_slowed`: an anomaly slows the partner. */
export type PartnerRow = Omit<Schemas['Partner'], 'created_at'> & {
  id: number
  created_at: Date
  is_slowed: boolean
}

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
 * (`currentAccessExists`).
 */
export type Access = { partnerId: number; credentialId: number; accessVersion: number }

export const accessOf = ({ id, credential_id, access_version }: AuthenticatedPartner): Access => ({
  partnerId: id,
  credentialId: credential_id,
  accessVersion: access_version,
})

/** A valid secret, as its HMAC. `last_used_on`: a date, `YYYY-MM-DD`. */
export type Secret = { id: number; hmac: string; last_used_on: string | null }

/** A partner in the cache: everything except the credential of one request. */
export type CachedPartner = { partner: Omit<AuthenticatedPartner, 'credential_id'>; secrets: Secret[] }

export function toPartner(partner: Omit<PartnerRow, 'id' | 'is_slowed'>): Schemas['Partner'] {
  return {
    partner_code: partner.partner_code,
    name: partner.name,
    purpose: partner.purpose,
    scopes: partner.scopes,
    status: partner.status,
    callback_url: partner.callback_url,
    sso_url: partner.sso_url,
    ip_allow_list: partner.ip_allow_list,
    limits: limitsOf(partner.limits),
    created_at: partner.created_at.toISOString(),
    going_live: partner.going_live,
  }
}

/** All limits of a partner. Null: the limit of the service applies. */
export function limitsOf(limits: Schemas['PartnerLimitsChange']): Schemas['PartnerLimits'] {
  return {
    requests_per_minute: limits.requests_per_minute ?? null,
    views_per_minute: limits.views_per_minute ?? null,
    tokens_per_minute: limits.tokens_per_minute ?? null,
    sign_ins_per_minute: limits.sign_ins_per_minute ?? null,
    per_day: limits.per_day ?? null,
  }
}

export type OwnLimits = Pick<PartnerRow, 'limits' | 'is_slowed'>

/** A partner that an anomaly slows has one part of so many of its limits per minute. */
const SLOWED_PARTS = 4

/** The limits that apply to a partner: its own, else those of the service. */
export function effectiveLimits({ limits, is_slowed }: OwnLimits, { partnerLimits }: Config) {
  const perMinute = (name: keyof typeof partnerLimits) => {
    const limit = limits[name] ?? partnerLimits[name]
    return is_slowed ? Math.ceil(limit / SLOWED_PARTS) : limit
  }
  return {
    requests_per_minute: perMinute('requests_per_minute'),
    views_per_minute: perMinute('views_per_minute'),
    tokens_per_minute: perMinute('tokens_per_minute'),
    sign_ins_per_minute: perMinute('sign_ins_per_minute'),
    per_day: limits.per_day,
  }
}
