import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { notifyEvent } from '../../database/notifications.ts'
import type { Ageing } from '../../database/private-sandbox.ts'

/**
 * Moves the times of a partner's events, of their deliveries, of its endpoint and of its webhook secrets into
 * the past. Attempts that become due are made at once.
 *
 * - `aged_event`, `aged_endpoint`, `aged_secret`: the rows.
 */
export async function ageDeliveries(db: Database, { partnerId, seconds }: Ageing): Promise<void> {
  const age = sql`make_interval(secs => ${seconds})`
  await sql`
    with aged_event as (
      update callback_event
         set occurred_at = occurred_at - ${age}, last_attempt_at = last_attempt_at - ${age},
             next_attempt_at = next_attempt_at - ${age}, delivered_at = delivered_at - ${age}
       where partner_id = ${partnerId}
    ), aged_endpoint as (
      update callback_endpoint set disabled_at = disabled_at - ${age} where partner_id = ${partnerId}
    ), aged_secret as (
      update webhook_secret set previous_until = previous_until - ${age} where partner_id = ${partnerId}
    )
    select ${notifyEvent}`.execute(db)
}

/**
 * Deletes the events of a partner, the state of its endpoint and its webhook secrets.
 *
 * - `event_row`, `endpoint_row`: the events and the endpoint.
 */
export async function deleteDeliveriesOf(db: Database, partnerId: number): Promise<void> {
  await sql`
    with event_row as (
      delete from callback_event where partner_id = ${partnerId}
    ), endpoint_row as (
      delete from callback_endpoint where partner_id = ${partnerId}
    )
    delete from webhook_secret where partner_id = ${partnerId}`.execute(db)
}
