import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'

type CitizenFacts = { changed_at: Date | null; frozen: boolean; blocked_partners: number }

/**
 * Reads what the service knows of a citizen besides the profile. `undefined`: no such citizen.
 *
 * - `wanted`: one row, whose id is null if there is no such citizen.
 * - `audit`: one row for the request, also without a citizen: an administrator cannot try identifiers unseen.
 */
export async function findCitizenFacts(
  db: Database,
  uniqidHmacs: string[],
  action: Omit<AdminAction, 'kind'>,
): Promise<CitizenFacts | undefined> {
  const { rows } = await sql<CitizenFacts>`
    with wanted as (
      select (select id from citizen where uniqid_hmac = any(${uniqidHmacs})) as id
    ), audit as (${insertAdminAudit({
      ...action,
      kind: 'citizen.read',
      from: 'wanted',
      citizen: 'id',
      detailColumn: `case when id is null then 'unknown' end`,
    })})
    select c.frozen, cardinality(c.blocked_partner_ids) as blocked_partners, (
             select e.occurred_at from audit_event e where e.citizen_id = c.id and e.kind = 'citizen.written'
              order by e.citizen_id desc, e.kind desc, e.id desc limit 1
           ) as changed_at
      from wanted join citizen c using (id)`.execute(db)
  return rows[0]
}
