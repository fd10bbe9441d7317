import type { Schemas } from '@tiwala/contract'
import type { PartnerRow } from './store.ts'

export function toPartner(partner: Omit<PartnerRow, 'id'>): Schemas['Partner'] {
  return {
    partner_code: partner.partner_code,
    name: partner.name,
    purpose: partner.purpose,
    scopes: partner.scopes,
    status: partner.status,
    callback_url: partner.callback_url,
    sso_url: partner.sso_url,
    created_at: partner.created_at.toISOString(),
  }
}
