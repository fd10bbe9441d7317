import type { Schemas } from '@tiwala/contract'
import type { Config } from '../config.ts'
import type { PartnerRow } from './partner.ts'

export function toPartner(partner: Omit<PartnerRow, 'id'>): Schemas['Partner'] {
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

/** The limits that apply to a partner: its own, else those of the service. */
export const effectiveLimits = ({ limits }: Pick<PartnerRow, 'limits'>, { partnerLimits }: Config) => ({
  requests_per_minute: limits.requests_per_minute ?? partnerLimits.requests_per_minute,
  views_per_minute: limits.views_per_minute ?? partnerLimits.views_per_minute,
  tokens_per_minute: limits.tokens_per_minute ?? partnerLimits.tokens_per_minute,
  sign_ins_per_minute: limits.sign_ins_per_minute ?? partnerLimits.sign_ins_per_minute,
  per_day: limits.per_day,
})
