import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'
import { EVENT_NOTICE } from '../database/notifications.ts'
import { resetEndpoints } from './reset-endpoints.sql.ts'

/** More are not counted. */
const MAX_COUNTED = 1_000

export type EndpointRow = {
  callback_url: string | null
  is_failing: boolean
  disabled_at: Date | null
  dead_letters: number
  previous_secret_until: Date | null
}

/** Where the events of a partner go. */
export async function findEndpoint(db: Database, partnerId: number): Promise<EndpointRow> {
  const { rows } = await sql<EndpointRow>`
    select p.callback_url, coalesce(d.is_failing, false) as is_failing, d.disabled_at,
           (select count(*) from (select from callback_event e
             where e.partner_id = p.id and e.status = 'DEAD' limit ${MAX_COUNTED}) dead) as dead_letters,
           (select case when clock_now() < previous_until then previous_until end
              from webhook_secret w where w.partner_id = p.id order by w.id desc limit 1) as previous_secret_until
      from partner p left join callback_endpoint d on d.partner_id = p.id
     where p.id = ${partnerId}`.execute(db)
  return rows[0]!
}

/**
 * Forgets the failures of a partner's endpoint.
 *
 * - `endpoint`: the endpoint, if it failed.
 * - `audit`: one row for it, in the same transaction.
 */
export async function enableStoredEndpoint(
  db: Database,
  partnerId: number,
  action: AdminAction,
): Promise<void> {
  await sql`
    with own as (
      select ${partnerId}::bigint as id
    ), endpoint as (${resetEndpoints('own')}
    ), audit as (${insertAdminAudit({ ...action, from: 'endpoint', partner: 'id' })})
    select ${EVENT_NOTICE} from endpoint`.execute(db)
}
