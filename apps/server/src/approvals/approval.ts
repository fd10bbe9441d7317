// Changes that need a second person: one asks, another one decides.
//
// States: PENDING, then GRANTED, RETURNED or WITHDRAWN by a person; VOID when what it changes is changed first; EXPIRED
// by time. Each state but PENDING is final.
//
// Example: an admin of a partner asks for another callback URL. An administrator of the service reads the old and the new
// URL, and grants it: the same transaction ends the approval, makes the change, and writes both into the audit.
//
// Guarantees: what is granted is exactly what was asked for. It is made at most once, never after its end, and never over
// a later change of the same thing. Every decision locks the partner or the citizen first, as every change of them does.
import type { Schemas } from '@tiwala/contract'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'

type Approval = Schemas['Approval']
export type ApprovalKind = Approval['kind']

type Times = { requested_at: Date; expires_at: Date; decided_at: Date | null }
/** `citizen`: of an erasure. Without a data key, the citizen is erased. */
export type ApprovalRow = Omit<Approval, 'uniqid' | keyof Times> &
  Times & {
    id: number
    citizen: { subject: string; data_key: string | null; uniqid: string | null } | null
  }

export const needsApproval = ({ approvals }: Config, kind: ApprovalKind) => approvals.kinds.includes(kind)

/** `uniqid`: of the citizen of an erasure, if the reader may know it. */
export const toApproval = (row: ApprovalRow, uniqid: string | null = null): Approval => ({
  approval_id: row.approval_id,
  kind: row.kind,
  status: row.status,
  partner_code: row.partner_code,
  partner_name: row.partner_name,
  uniqid,
  requested_by: row.requested_by,
  requested_by_name: row.requested_by_name,
  requested_at: row.requested_at.toISOString(),
  reason: row.reason,
  change: row.change,
  previous: row.previous,
  expires_at: row.expires_at.toISOString(),
  decided_by: row.decided_by,
  decided_by_name: row.decided_by_name,
  decided_at: row.decided_at?.toISOString() ?? null,
  decision_reason: row.decision_reason,
})

export const unknownApproval = () => new Failure('not_found', { message: 'No change has this approval_id' })
