import { sql } from 'kysely'

/** Columns of an event `e` and its partner `p`. */
export const SEALABLE_COLUMNS = sql.raw(`e.id, e.xid::text as xid,
  to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
  e.kind, e.partner_id, p.partner_code, e.citizen_id, e.tracking_no, e.request_id, e.actor, e.detail, e.reason`)
