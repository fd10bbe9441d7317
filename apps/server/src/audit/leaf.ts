import { createHmac } from 'node:crypto'

/** An audit event, every column of it, and whose code `partner_id` is. Time in microseconds: what is sealed must be exact. */
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
}

/**
 * The text that is sealed: JSON in the form of RFC 8785. Our own ids are not in it, which would tell a citizen of order and number;
 * a keyed hash stands for them, so that they cannot be changed, and not be guessed either.
 */
export function toLeaf(row: SealableRow, salt: string): string {
  const { id, xid, partner_id, citizen_id, actor, detail, kind, occurred_at, partner_code, request_id, tracking_no } = row
  const ids = JSON.stringify([id, xid, partner_id, citizen_id])
  const ids_hash = createHmac('sha256', salt).update(ids).digest('base64url')
  return JSON.stringify({ actor, detail, ids_hash, kind, occurred_at, partner_code, request_id, tracking_no })
}

/** The order in which events are sealed. */
export const compareRows = (a: Pick<SealableRow, 'xid' | 'id'>, b: Pick<SealableRow, 'xid' | 'id'>): number =>
  Number(a.xid) - Number(b.xid) || a.id - b.id
