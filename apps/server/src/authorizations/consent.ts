import type { Schemas } from '@tiwala/contract'
import { SHARED_FIELDS } from '../citizens/profile.ts'
import type { ConsentRow } from './consent.sql.ts'

export function toConsentRequest(row: ConsentRow): Schemas['ConsentRequest'] {
  return {
    tracking_no: row.tracking_no,
    tracking_no_last4: row.tracking_no.slice(-4),
    state: row.state,
    partner: { partner_code: row.partner_code, name: row.name, purpose: row.purpose },
    shares: [...SHARED_FIELDS],
    requested_at: row.requested_at.toISOString(),
    age_seconds: row.age_seconds,
    expires_at: row.state === 'PENDING' ? row.expires_at.toISOString() : null,
    answered_at: answeredAt(row)?.toISOString() ?? null,
  }
}

/** A record ends without the citizen if it expires or the partner cancels it, and a revocation follows the answer. */
function answeredAt({ state, accepted_at, requested_at, ended_at }: ConsentRow): Date | null {
  if (state === 'PENDING' || state === 'EXPIRED' || state === 'CANCELLED') return null
  // Without an acceptance, the citizen showed a QR code for the profile itself.
  return state === 'REVOKED' ? (accepted_at ?? requested_at) : ended_at
}
