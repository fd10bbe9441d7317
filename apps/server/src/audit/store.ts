import { type RawBuilder, sql } from 'kysely'

/**
 * An insert to stand inside the statement that citizenAllows what it records: one row for each row of the query `source`,
 * which has the columns partner_id, citizen_id and tracking_no; and request_id, where it is of many requests.
 */
export function insertAudit(source: string, kind: string, requestId?: string): RawBuilder<unknown> {
  return sql`insert into audit_event (occurred_at, kind, partner_id, citizen_id, tracking_no, request_id)
    select (select clock_now()), ${kind}, partner_id, citizen_id, tracking_no, ${requestId ?? sql.ref('request_id')} from ${sql.raw(source)} returning 1`
}

/** The same for one request of a citizen that says more: `source` also has the column detail, without personal data or a secret. */
export function insertAuditWithDetail(source: string, kind: string, requestId: string): RawBuilder<unknown> {
  return sql`insert into audit_event (occurred_at, kind, partner_id, citizen_id, tracking_no, request_id, detail)
    select (select clock_now()), ${kind}, partner_id, citizen_id, tracking_no, ${requestId}, detail from ${sql.raw(source)} returning 1`
}

/** A condition for the end of a statement whose `audited` is `insertAudit(source)`: it raises where the audit did not take every row. */
export const assertAllAudited = (source: string): RawBuilder<boolean> =>
  sql`all_recorded((select count(*) from audited), (select count(*) from ${sql.raw(source)}))`

/** What an administrator did, as `partner.suspended`. `detail` never holds personal data or a secret. */
export type AdminAction = { kind: string; actor: string; requestId: string; detail?: string | undefined }

/** `from`: a query of the statement; `partner`, `citizen`: its columns with the ids of whom it was done to. */
type DoneTo = { from: string; partner?: string; citizen?: string }

/** An insert to stand inside the statement that does the action: one row for each row of the query `from`. */
export function insertAdminAudit({
  kind,
  actor,
  requestId,
  detail,
  from,
  partner = 'null',
  citizen = 'null',
}: AdminAction & DoneTo): RawBuilder<unknown> {
  return sql`insert into audit_event (kind, partner_id, citizen_id, request_id, actor, detail)
    select ${kind}, ${sql.raw(partner)}::bigint, ${sql.raw(citizen)}::bigint, ${requestId}, ${actor}, ${detail ?? null}
      from ${sql.raw(from)} returning 1`
}
