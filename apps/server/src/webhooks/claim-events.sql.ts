import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { list } from '../database/batch.ts'
import type { Database } from '../database/connect.ts'
import { SALTS_IN_USE } from './webhook-secret.sql.ts'

/**
 * How long a claim lasts. An attempt takes at most 15 s (`send.ts`), before it the event waits less than a
 * second (`delivery-pool.ts`), and after it the outcome is stored within 2 s.
 */
const LEASE_SECONDS = 30

/** An event that this process attempts, with all that the attempt needs. */
export type ClaimedEvent = {
  id: number
  /** The end of the claim. It also tells this claim from later ones, so the text keeps the microseconds. */
  claimed_until: string
  partner_id: number
  webhook_id: string
  type: Schemas['EventType']
  data: object
  occurred_at: Date
  /** That of the request that caused the event. Null if neither its caller nor the process traced it. */
  traceparent: string | null
  attempts: number
  callback_url: string | null
  is_disabled: boolean
  is_suspended: boolean
  /** Since the event, if this is the first attempt. */
  lag_seconds: number | null
  /** The salts of the secrets that sign now, the newest first. */
  salts: string[]
}

export type Claim = {
  /** Whether to claim events of endpoints whose last attempt failed, or of the others. */
  isFailing: boolean
  /** Claims of partners after this one. */
  afterPartnerId: number
  limit: number
  /** At most this many events of a partner that `remaining` does not name. */
  perPartner: number
  /** How many more events of these partners may be claimed. */
  remaining: Map<number, number>
}

/**
 * Claims events that are due, of one partner after the other. A claimed event is attempted by no other
 * process until the claim ends. The statement holds no lock afterward. It reads the index of pending events
 * only, and of each partner only the events that it claims and those that are claimed already, however many
 * are due or stored.
 *
 * - `statement_time`: both clocks, read once.
 * - `pending_partner`: partners with pending events, and when the first of them is due. Each step finds the
 *   next partner in the index. PostgreSQL makes only as many steps as the limit needs.
 * - `due`: locks the events and skips those that another process is claiming.
 * - `claimed`: the events with their claim. The search for the partner of each is `lateral`: a join planned
 *   while there were few partners would read all of them for every claim.
 */
export async function claimEvents(
  db: Database,
  { isFailing, afterPartnerId, limit, perPartner, remaining }: Claim,
): Promise<ClaimedEvent[]> {
  const { rows } = await sql<ClaimedEvent>`
    with recursive statement_time as materialized (
      select clock_now() as now, clock_timestamp() as claimed_at
    ), pending_partner as (
      (select partner_id, next_attempt_at from callback_event
        where status = 'PENDING' and partner_id > ${afterPartnerId} order by partner_id, next_attempt_at limit 1)
      union all
      select next.* from pending_partner w cross join lateral (
        select partner_id, next_attempt_at from callback_event
         where status = 'PENDING' and partner_id > w.partner_id order by partner_id, next_attempt_at limit 1
      ) next
    ), due as materialized (
      select e.id from pending_partner w cross join lateral (
        select id from callback_event
         where status = 'PENDING' and partner_id = w.partner_id
           and next_attempt_at <= (select now from statement_time)
           and (claimed_until is null or claimed_until <= (select claimed_at from statement_time))
         order by next_attempt_at
         limit coalesce((select events from unnest(${list([...remaining.keys()], 'bigint')},
                                                   ${list([...remaining.values()], 'bigint')})
                                              as remaining (partner_id, events)
                          where partner_id = w.partner_id), ${perPartner}::int)
           for update skip locked
      ) e
       where w.next_attempt_at <= (select now from statement_time)
         and ${isFailing} = coalesce(
               (select is_failing from callback_endpoint d where d.partner_id = w.partner_id), false)
       limit ${limit}
    ), claimed as (
      update callback_event e
         set claimed_until = (select claimed_at from statement_time) + make_interval(secs => ${LEASE_SECONDS})
        from due where e.id = due.id
      returning e.*
    )
    select e.id, e.claimed_until::text as claimed_until, e.partner_id, e.webhook_id, e.type, e.data, e.occurred_at,
           e.traceparent, e.attempts,
           p.callback_url, p.status = 'SUSPENDED' as is_suspended, d.disabled_at is not null as is_disabled,
           case when e.last_attempt_at is null
                then extract(epoch from (select now from statement_time) - e.occurred_at)::float8
            end as lag_seconds,
           array(select salt from (${SALTS_IN_USE}) s where s.partner_id = e.partner_id order by nth) as salts
      from claimed e cross join lateral (select * from partner where id = e.partner_id limit 1) p
      left join callback_endpoint d on d.partner_id = e.partner_id
     order by e.partner_id, e.next_attempt_at`.execute(db)
  return rows
}
