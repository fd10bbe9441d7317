import type { TrackedRow } from './tracked-record.sql.ts'

/** The fields that the lists of a partner and of an administrator have in common. */
export const toTracked = (row: TrackedRow) => ({
  tracking_no: row.tracking_no,
  scope: row.scope,
  state: row.state,
  requested_at: row.requested_at.toISOString(),
  // A profile-by-QR record never waits for an answer.
  expires_at: row.scope === 'PROFILE_VIEW' ? null : row.expires_at.toISOString(),
  accepted_at: row.accepted_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
})
