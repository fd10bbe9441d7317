import type { Schemas } from '@tiwala/contract'
import { SHARED_FIELDS, SSO_FIELDS } from '../citizens/profile.ts'
import { type DisclosureRow, type DisputeRow, WAY_OF } from './store.ts'

export function toDisclosure(row: DisclosureRow): Schemas['Disclosure'] {
  const way = WAY_OF[row.kind]
  return {
    id: row.request_id,
    disclosed_at: row.occurred_at.toISOString(),
    way,
    partner: { partner_code: row.partner_code, name: row.name, purpose: row.purpose },
    fields: [...(way === 'SSO' ? SSO_FIELDS : SHARED_FIELDS)],
    tracking_no: row.tracking_no,
    disputed_at: row.disputed_at?.toISOString() ?? null,
  }
}

export function toDispute(row: DisputeRow): Schemas['Dispute'] {
  return {
    disclosure_id: row.request_id,
    disputed_at: row.disputed_at.toISOString(),
    disclosed_at: row.occurred_at.toISOString(),
    way: WAY_OF[row.kind],
    partner_code: row.partner_code,
    tracking_no: row.tracking_no,
  }
}
