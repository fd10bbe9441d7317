import type { Schemas } from '@tiwala/contract'
import { SSO_FIELDS, SHARED_FIELDS } from '../citizens/profile.ts'
import { type DisclosureRow, WAY_OF } from './disclosure.sql.ts'
import type { DisputeRow } from './dispute.sql.ts'

export function toDisclosure(row: DisclosureRow): Schemas['Disclosure'] {
  const way = WAY_OF[row.kind]
  return {
    id: row.request_id,
    disclosed_at: row.occurred_at.toISOString(),
    way,
    partner: { partner_code: row.partner_code, name: row.name, purpose: row.purpose },
    fields: row.detail?.split(' ').filter(Boolean) ?? [...(way === 'SSO' ? SSO_FIELDS : SHARED_FIELDS)],
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
    partner_name: row.name,
    tracking_no: row.tracking_no,
  }
}
