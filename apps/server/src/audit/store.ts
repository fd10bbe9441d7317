import { sql, type RawBuilder } from 'kysely'

/**
 * An insert to stand inside the statement that permits what it records: one row for each row of the query `source`,
 * which has the columns partner_id, citizen_id and tracking_no.
 */
export function auditFrom(source: string, kind: string, requestId: string): RawBuilder<unknown> {
  return sql`insert into audit_event (kind, partner_id, citizen_id, tracking_no, request_id)
    select ${kind}, partner_id, citizen_id, tracking_no, ${requestId} from ${sql.raw(source)} returning 1`
}
