import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { STATE_NOW } from './record.sql.ts'

type Times = { requested_at: Date; expires_at: Date; accepted_at: Date | null; ended_at: Date | null }

/** A record without the citizen and the profile. */
export type TrackedRow = Omit<Schemas['RecordSummary'], keyof Times> & Times

/** The columns of `TrackedRow`, of a record `r`. */
export const TRACKED_COLUMNS = sql`r.tracking_no, r.scope, ${STATE_NOW} as state,
  r.requested_at, r.expires_at, r.accepted_at,
  case when ${STATE_NOW} = 'EXPIRED' then r.expires_at else r.ended_at end as ended_at`
