import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import { filterByPartner, MAX_ID, rangeOf } from '../database/pagination.ts'
import type { ApprovalKind, ApprovalRow } from './approval.ts'

/** How many changes of a partner can be asked for in 24 hours. */
export const MAX_IN_A_DAY = 50

const STATUS = sql`coalesce(a.decision, case when clock_now() < a.expires_at then 'PENDING' else 'EXPIRED' end)`
const COLUMNS = sql`a.id, a.approval_id, a.kind, ${STATUS} as status, p.partner_code, a.requested_by, a.requested_at,
  a.reason, a.change, a.previous, a.expires_at, a.decided_by, a.decided_at, a.decision_reason`

export type NewApproval = {
  approvalId: string
  kind: ApprovalKind
  partnerId: number
  change: object
  previous: object
  days: number
}

/**
 * Stores a change that waits, and voids those that it replaces. False: the partner has asked for too many. The caller has
 * locked the partner.
 */
export async function insertApproval(
  tx: Database,
  { approvalId, kind, partnerId, change, previous, days }: NewApproval,
  { actor, requestId, reason }: Pick<AdminAction, 'requestId' | 'reason'> & { actor: string },
): Promise<boolean> {
  const names = Object.keys(change)
  await sql`select void_approvals(${partnerId}, ${names}::text[])`.execute(tx)
  const { rows } = await sql`
    with approval_row as (
      insert into approval (approval_id, kind, partner_id, requested_by, reason, change, previous, expires_at)
      select ${approvalId}, ${kind}, ${partnerId}::bigint, ${actor}, ${reason ?? null}, ${JSON.stringify(change)}::jsonb,
             ${JSON.stringify(previous)}::jsonb, clock_now() + make_interval(days => ${days})
       where (
         select count(*) from approval
          where partner_id = ${partnerId} and requested_at > clock_now() - interval '1 day'
       ) < ${MAX_IN_A_DAY}
      returning *
    ), audit as (${insertAdminAudit({
      kind: 'approval.requested',
      actor,
      requestId,
      reason,
      detail: `${approvalId} ${kind} ${names.join(' ')}`,
      from: 'approval_row',
      partner: 'partner_id',
    })})
    select from approval_row`.execute(tx)
  return rows.length > 0
}

export type Filter = { partnerCode: string | undefined; status: ApprovalRow['status'] | undefined }

/** Newest first. */
export async function findApprovals(
  db: Database,
  { partnerCode, status }: Filter,
  before = MAX_ID,
  limit: number,
): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select ${COLUMNS} from approval a join partner p on p.id = a.partner_id
     where (${status ?? null}::text is null or ${STATUS} = ${status ?? null})
       and ${rangeOf(filterByPartner('a.partner_id', partnerCode), [['a.id', before]])}
     limit ${limit}`.execute(db)
  return rows
}

/** `undefined`: there is no such approval. */
export async function findApproval(db: Database, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<ApprovalRow>`
    select ${COLUMNS} from approval a join partner p on p.id = a.partner_id
     where a.approval_id = ${approvalId}`.execute(db)
  return rows[0]
}

export type Decision = {
  decision: 'GRANTED' | 'RETURNED' | 'WITHDRAWN'
  /** The `sub` of an administrator, or a `member_id`. */
  actor: string
  requestId: string
  reason?: string | undefined
}

/**
 * Locks the partner of an approval, so that decisions and changes follow each other. `undefined`: there is no such
 * approval, or none of the partner `partnerId`. `is_own`: the person who decides is the one who asked, who may also be a
 * member with the same subject at the same issuer.
 */
export async function lockApproval(
  tx: Database,
  approvalId: string,
  { actor, subject, partnerId }: { actor: string; subject: string; partnerId?: number },
): Promise<{ is_own: boolean } | undefined> {
  const { rows } = await sql<{ is_own: boolean }>`
    select a.requested_by = ${actor} or exists (
             select from member m where m.member_id = a.requested_by and m.subject = ${subject}
           ) as is_own
      from approval a join partner p on p.id = a.partner_id
     where a.approval_id = ${approvalId} and (${partnerId ?? null}::bigint is null or p.id = ${partnerId ?? null})
       for no key update of p`.execute(tx)
  return rows[0]
}

/** Ends a pending approval. `undefined`: it is not pending. The caller has locked its partner. */
export async function decideApproval(
  tx: Database,
  approvalId: string,
  { decision, actor, requestId, reason }: Decision,
): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<ApprovalRow>`
    with a as (
      update approval set decision = ${decision}, decided_by = ${actor}, decided_at = clock_now(),
                          decision_reason = ${reason ?? null}
       where approval_id = ${approvalId} and decision is null and clock_now() < expires_at
      returning *, approval_id || ' ' || kind || ' asked by ' || requested_by as detail
    ), audit as (${insertAdminAudit({
      kind: `approval.${decision.toLowerCase()}`,
      actor,
      requestId,
      reason,
      from: 'a',
      partner: 'partner_id',
      detailColumn: 'detail',
    })})
    select ${COLUMNS} from a join partner p on p.id = a.partner_id`.execute(tx)
  return rows[0]
}

export const deleteOldApprovals = (db: Database, days: number, limit: number): Promise<number> =>
  deleteOldRows(db, 'approval', ['id'], sql`expires_at < clock_now() - make_interval(days => ${days})`, limit)
