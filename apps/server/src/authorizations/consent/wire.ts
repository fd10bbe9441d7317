import type { Schemas } from '@tiwala/contract'
import type { ConsentRow } from './store.ts'

/** What accepting shares: every field of the profile but the postal code, which the partner profile API leaves out (seed section 2.2). */
const SHARED = [
  'uniqid',
  'email',
  'birth_date',
  'first_name',
  'middle_name',
  'last_name',
  'suffix',
  'gender',
  'nationality',
  'photo',
  'mobile',
  'address',
  'street',
  'barangay',
  'municipality',
  'region',
  'province',
  'country',
  'address_line_2',
  'barangay_code',
  'province_code',
  'municipality_code',
  'region_code',
  'country_id',
  'foreign_address',
] as const satisfies Exclude<keyof Schemas['Profile'], 'postal'>[]

export function toConsentRequest(row: ConsentRow): Schemas['ConsentRequest'] {
  return {
    tracking_no: row.tracking_no,
    tracking_no_last4: row.tracking_no.slice(-4),
    state: row.state,
    partner: { partner_code: row.partner_code, name: row.name, purpose: row.purpose },
    shares: [...SHARED],
    requested_at: row.requested_at.toISOString(),
    age_seconds: row.age_seconds,
    expires_at: row.state === 'PENDING' ? row.expires_at.toISOString() : null,
    answered_at: row.ended_at?.toISOString() ?? null,
  }
}
