import { type RawBuilder, sql } from 'kysely'
import { actorName } from '../audit/actor-name.sql.ts'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import { filterByPartner, MAX_ID, rangeOf } from '../database/pagination.ts'
import type { ApprovalKind, ApprovalRow } from './approval.ts'

/** How many changes of its settings a partner can ask for in 24 hours. */
export const MAX_IN_A_DAY = 50

const STATUS = sql`coalesce(a.decision, case when clock_now() < a.expires_at then 'PENDING' else 'EXPIRED' end)`
const IS_PENDING = sql`a.decision is null and ${NOW} < a.expires_at`
const COLUMNS = sql`a.id, a.approval_id, a.kind, ${STATUS} as status, p.partner_code, p.name as partner_name,
  a.requested_by, ${actorName(sql`a.requested_by`)} as requested_by_name, a.requested_at,
  a.reason, a.change, a.previous, a.expires_at,
  a.decided_by, ${actorName(sql`a.decided_by`)} as decided_by_name, a.decided_at,
  a.decision_reason,
  case when c.id is not null then jsonb_build_object('subject', c.subject, 'data_key', c.data_key, 'uniqid', c.uniqid) end
    as citizen`
const OF = sql`left join partner p on p.id = a.partner_id left join citizen c on c.id = a.citizen_id`

export type NewApproval = {
  approvalId: string
  kind: ApprovalKind
  partnerId: number | null
  /** Of an erasure. */
  citizenId?: number
  change: object
  previous: object
  days: number
}

/** Ends what waits to change these settings of a partner. */
export const voidApprovals = (db: Database, partnerId: number | null, names: string[]) =>
  sql`select void_approvals(${partnerId}, ${names}::text[])`.execute(db)

/**
 * Stores a change that waits, and voids those that it replaces. False: the partner has asked for too many. The caller has
 * locked the partner.
 */
export async function insertApproval(
  tx: Database,
  { approvalId, kind, partnerId, citizenId, change, previous, days }: NewApproval,
  { actor, requestId, reason }: Pick<AdminAction, 'requestId' | 'reason'> & { actor: string },
): Promise<boolean> {
  const names = Object.keys(change)
  await voidApprovals(tx, partnerId, names)
  const { rows } = await sql`
    with approval_row as (
      insert into approval (approval_id, kind, partner_id, citizen_id, requested_by, reason, change, previous, expires_at)
      select ${approvalId}, ${kind}, ${partnerId}::bigint, ${citizenId ?? null}::bigint, ${actor}, ${reason ?? null},
             ${JSON.stringify(change)}::jsonb, ${JSON.stringify(previous)}::jsonb, clock_now() + make_interval(days => ${days})
       where ${kind} <> 'settings' or (
         select count(*) from approval
          where partner_id = ${partnerId} and kind = 'settings' and requested_at > clock_now() - interval '1 day'
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
      citizen: 'citizen_id',
    })})
    select from approval_row`.execute(tx)
  return rows.length > 0
}

/** The same act that waits already. */
export async function findSameApproval(
  db: Database,
  { kind, partnerId, citizenId, change }: Omit<NewApproval, 'approvalId' | 'previous' | 'days'>,
): Promise<ApprovalRow | undefined> {
  // Each of the two has an index.
  const isOfSame =
    citizenId === undefined
      ? sql`a.partner_id = ${partnerId}::bigint`
      : sql`a.citizen_id = ${citizenId}::bigint`
  const { rows } = await sql<ApprovalRow>`
    select ${COLUMNS} from approval a ${OF}
     where ${isOfSame} and a.kind = ${kind}
       and a.change = ${JSON.stringify(change)}::jsonb and ${STATUS} = 'PENDING'`.execute(db)
  return rows[0]
}

export type Filter = {
  partnerCode?: string | undefined
  status?: ApprovalRow['status'] | undefined
  kind?: ApprovalKind
}

/** The undecided ones have an index. */
function isOf(status: ApprovalRow['status']): RawBuilder<unknown> {
  if (status === 'PENDING') return IS_PENDING
  return status === 'EXPIRED'
    ? sql`a.decision is null and ${NOW} >= a.expires_at`
    : sql`a.decision = ${status}`
}

/** Newest first. */
export async function findApprovals(
  db: Database,
  { partnerCode, status, kind }: Filter,
  before = MAX_ID,
  limit: number,
): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    select ${COLUMNS} from approval a ${OF}
     where ${status ? isOf(status) : sql`true`}
       and (${kind ?? null}::text is null or a.kind = ${kind ?? null})
       and ${rangeOf(filterByPartner('a.partner_id', partnerCode), [['a.id', before]])}
     limit ${limit}`.execute(db)
  return rows
}

/** `undefined`: there is no such approval. */
export async function findApproval(db: Database, approvalId: string): Promise<ApprovalRow | undefined> {
  const { rows } = await sql<ApprovalRow>`
    select ${COLUMNS} from approval a ${OF}
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

/** Ends a pending approval. `undefined`: it is not pending. The caller has locked its partner or citizen. */
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
      citizen: 'citizen_id',
      detailColumn: 'detail',
    })})
    select ${COLUMNS} from a ${OF}`.execute(tx)
  return rows[0]
}

const TO_VOID = sql`update approval a set decision = 'VOID', decided_at = ${NOW}`

/** For a restored backup: a person may have withdrawn or returned it after the backup was made. */
export const VOID_ALL_APPROVALS = sql`${TO_VOID} where ${IS_PENDING}`

/**
 * Ends the changes of settings that wait and that these members (`partner_id`, `member_id`) have asked for. The caller has
 * locked the partner.
 */
export const voidSettingsOf = (members: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  ${TO_VOID} from (${members}) asker
   where a.partner_id = asker.partner_id and a.requested_by = asker.member_id and a.kind = 'settings' and ${IS_PENDING}`

export const deleteOldApprovals = (db: Database, days: number, limit: number): Promise<number> =>
  deleteOldRows(db, 'approval', ['id'], sql`expires_at < ${NOW} - make_interval(days => ${days})`, limit)
