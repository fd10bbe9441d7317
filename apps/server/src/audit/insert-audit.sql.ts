import { type RawBuilder, sql } from 'kysely'

/**
 * The body of a CTE `audit`, inside the statement that performs the audited action: the action and its audit
 * rows are committed together or not at all. Inserts one row for each row of the CTE `source`, which has the
 * columns partner_id, citizen_id and tracking_no. Without `requestId`, `source` also has the column
 * request_id: a batched statement serves several requests.
 */
export function insertAudit(source: string, kind: string, requestId?: string): RawBuilder<unknown> {
  return sql`insert into audit_event (occurred_at, kind, partner_id, citizen_id, tracking_no, request_id)
    select (select clock_now()), ${kind}, partner_id, citizen_id, tracking_no,
           ${requestId ?? sql.ref('request_id')} from ${sql.raw(source)} returning 1`
}

/** Like `insertAudit`. `source` also has the column detail, without personal data or a secret. */
export function insertAuditWithDetail(source: string, kind: string, requestId?: string): RawBuilder<unknown> {
  return sql`insert into audit_event
           (occurred_at, kind, partner_id, citizen_id, tracking_no, request_id, detail)
    select (select clock_now()), ${kind}, partner_id, citizen_id, tracking_no,
           ${requestId ?? sql.ref('request_id')}, detail
      from ${sql.raw(source)} returning 1`
}

/**
 * A condition for the end of a statement whose CTE `audit` is `insertAudit(source)`. It raises, and so rolls
 * the statement back, unless the audit has one row for each row of `source`.
 */
export const assertAllAudited = (source: string): RawBuilder<boolean> =>
  sql`all_recorded((select count(*) from audit), (select count(*) from ${sql.raw(source)}))`

/**
 * An action of an administrator or of a partner's member, such as `partner.suspended`. `detail` never contains personal data or a
 * secret. `reason`: the text that the administrator gave.
 */
export type AdminAction = {
  kind: string
  /** The administrator or the member; as an expression, if only the statement knows who. */
  actor: string | RawBuilder<unknown>
  requestId: string
  detail?: string | undefined
  reason?: string | undefined
}

/**
 * `from`: a CTE of the statement; `partner`, `citizen`: its columns with the ids of the affected partner and
 * citizen; `trackingNo`, `detailColumn`: its columns with the tracking number and, in place of `detail`, the
 * detail.
 */
type AuditSource = {
  from: string
  partner?: string
  citizen?: string
  trackingNo?: string
  detailColumn?: string
}

/** Like `insertAudit`, for an action of an administrator: one row for each row of the CTE `from`. */
export function insertAdminAudit({
  kind,
  actor,
  requestId,
  detail,
  reason,
  from,
  partner = 'null',
  citizen = 'null',
  trackingNo = 'null',
  detailColumn,
}: AdminAction & AuditSource): RawBuilder<unknown> {
  return sql`insert into audit_event
           (kind, partner_id, citizen_id, tracking_no, request_id, actor, detail, reason)
    select ${kind}, ${sql.raw(partner)}::bigint, ${sql.raw(citizen)}::bigint, ${sql.raw(trackingNo)},
           ${requestId}, ${actor}, ${detailColumn ? sql.raw(detailColumn) : (detail ?? null)}, ${reason ?? null}
      from ${sql.raw(from)} returning occurred_at`
}

/**
 * What the audit and the events to partners keep of the request that caused them. `traceparent`: null if
 * neither the caller nor this process traces it.
 */
export type RequestContext = { requestId: string; traceparent: string | null }
