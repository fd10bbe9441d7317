import { createHmac } from 'node:crypto'

/**
 * All columns of an audit event, and the code of its partner. Times have microseconds, since the leaf must be
 * exact.
 */
export type SealableRow = {
  id: number
  xid: string
  occurred_at: string
  kind: string
  partner_id: number | null
  partner_code: string | null
  citizen_id: number | null
  tracking_no: string | null
  request_id: string
  actor: string | null
  detail: string | null
  /** Null in the events of versions without it. */
  reason: string | null
}

/**
 * The text that is sealed: canonical JSON (RFC 8785). It contains an HMAC of the internal ids instead of the
 * ids themselves. A proof given to a citizen therefore reveals no order and no number of events, and a
 * changed id still changes the leaf.
 */
export function toLeaf(row: SealableRow, salt: string): string {
  const {
    id,
    xid,
    partner_id,
    citizen_id,
    actor,
    detail,
    reason,
    kind,
    occurred_at,
    partner_code,
    request_id,
    tracking_no,
  } = row
  const ids = JSON.stringify([id, xid, partner_id, citizen_id])
  const ids_hash = createHmac('sha256', salt).update(ids).digest('base64url')
  const leaf = { actor, detail, ids_hash, kind, occurred_at, partner_code }
  // Without a reason the leaf has no field for it, as in versions that knew none.
  return JSON.stringify({ ...leaf, ...(reason !== null && { reason }), request_id, tracking_no })
}

/** The order in which events are sealed. */
export const compareRows = (a: Pick<SealableRow, 'xid' | 'id'>, b: Pick<SealableRow, 'xid' | 'id'>): number =>
  Number(a.xid) - Number(b.xid) || a.id - b.id
