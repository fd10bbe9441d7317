import type { Schemas } from '@tiwala/contract'
import { Failure } from '../../failure.ts'
import type { Operation } from '../../operation.ts'
import { findRecordsOfAllPartners, type TrackedRow } from './find-authorizations.sql.ts'

export const findAuthorizations: Operation<'findAuthorizations'> = async ({ db }, { path }) => {
  const rows = await findRecordsOfAllPartners(db, path.tracking_no)
  if (!rows.length) throw new Failure('tracking_no_not_found')
  return { status: 200, body: { authorizations: rows.map(toTracked) } }
}

function toTracked(row: TrackedRow): Schemas['TrackedAuthorization'] {
  return {
    tracking_no: row.tracking_no,
    partner_code: row.partner_code,
    scope: row.scope,
    state: row.state,
    requested_at: row.requested_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    accepted_at: row.accepted_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}
