import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { EVENT_NOTICE } from '../../database/notifications.ts'

type Selection = {
  partnerCode: string | undefined
  type: Schemas['EventType'] | undefined
  from: Date | undefined
  to: Date | undefined
}

/**
 * Starts the delivery of dead events again, with their first attempt, at once: at most `limit`, the oldest
 * first.
 *
 * - `dead`: the selected events, and one more if there are more than `limit`. Without those that would be dead
 *   again at once.
 * - `e`: the events that are pending again. Those that another request has restarted meanwhile are left out.
 * - `act`: one row with their number.
 * - `audit`: one row, in the same transaction.
 */
export async function restartDead(
  db: Database,
  { partnerCode, type, from, to }: Selection,
  limit: number,
  action: AdminAction,
): Promise<{ replayed: number; has_more: boolean }> {
  const { rows } = await sql<{ replayed: number; has_more: boolean }>`
    with dead as materialized (
      select e.id
        from callback_event e join partner p on p.id = e.partner_id
        left join callback_endpoint d on d.partner_id = e.partner_id
       where e.status = 'DEAD' and p.callback_url is not null and d.disabled_at is null
         and (${partnerCode ?? null}::text is null or p.partner_code = ${partnerCode ?? null})
         and (${type ?? null}::text is null or e.type = ${type ?? null})
         and (${from ?? null}::timestamptz is null or e.occurred_at >= ${from ?? null})
         and (${to ?? null}::timestamptz is null or e.occurred_at < ${to ?? null})
       order by e.id limit ${limit + 1}
    ), e as (
      update callback_event
         set status = 'PENDING', attempts = 0, claimed_until = null,
             next_attempt_at = clock_now(), delivered_at = null
       where id in (select id from dead order by id limit ${limit}) and status = 'DEAD' returning id
    ), act as (
      select count(*) as replayed, (select id from partner where partner_code = ${partnerCode ?? null}) as partner_id
        from e
    ), audit as (${insertAdminAudit({ ...action, from: 'act', partner: 'partner_id', detailColumn: 'replayed::text' })})
    select replayed, (select count(*) from dead) > ${limit} as has_more, ${EVENT_NOTICE} from act`.execute(db)
  return { replayed: rows[0]!.replayed, has_more: rows[0]!.has_more }
}
