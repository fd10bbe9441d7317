import { sql } from 'kysely'
import { insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'

/** One audit row for each changed setting. */
export async function insertRebindAudit(
  tx: Database,
  { actor, requestId, details }: { actor: string; requestId: string; details: string[] },
): Promise<void> {
  const action = { kind: 'setting.rebound', actor, requestId, from: 'changed', detailColumn: 'detail' }
  await sql`
    with changed as (select detail from unnest(${details}::text[]) as detail),
         audit as (${insertAdminAudit(action)})
    select from audit`.execute(tx)
}
