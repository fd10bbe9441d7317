import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { InboxEvent } from './bootstrap-format.ts'

/** Of each sandbox, the newest are kept, and the newest forgeries: anyone can send those. */
const MAX_EVENTS = 100

export type ReceivedEvent = Omit<InboxEvent, 'received_at' | 'attempts'>
export type EventRow = ReceivedEvent & { received_at: Date; attempts: number }

/**
 * Stores an event that the inbox received. An event that is received again counts as one more attempt, and as
 * the newest event. An event without an id is always another one.
 *
 * - `old_event`: the oldest events, which are deleted.
 */
export async function upsertEvent(db: Database, sandbox: number, event: ReceivedEvent): Promise<void> {
  await sql`
    with old_event as (
      delete from sandbox_event where id in (
        select id from sandbox_event
         where sandbox = ${sandbox} and signature_ok = ${event.signature_ok}
           and (webhook_id = ${event.webhook_id}) is not true
         order by received_at desc, id desc offset ${MAX_EVENTS - 1}
      )
    )
    insert into sandbox_event as e
           (sandbox, is_refused, webhook_id, webhook_timestamp, webhook_signature, signature_ok, body)
    values (${sandbox}, ${event.is_refused}, ${event.webhook_id}, ${event.webhook_timestamp},
            ${event.webhook_signature}, ${event.signature_ok}, ${event.body})
    on conflict (sandbox, signature_ok, webhook_id) do update
       set attempts = e.attempts + 1, received_at = clock_now(), is_refused = excluded.is_refused,
           webhook_timestamp = excluded.webhook_timestamp, webhook_signature = excluded.webhook_signature,
           body = excluded.body`.execute(db)
}

/** Newest first. */
export async function listEvents(db: Database, sandbox: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select received_at, attempts, is_refused, webhook_id, webhook_timestamp, webhook_signature, signature_ok,
           body
      from sandbox_event where sandbox = ${sandbox} order by received_at desc, id desc`.execute(db)
  return rows
}

/** The inbox refuses so many of the next deliveries. */
export async function setRefusedDeliveries(db: Database, sandbox: number, count: number): Promise<void> {
  await sql`update sandbox set refused_deliveries = ${count} where id = ${sandbox}`.execute(db)
}

/** True: the inbox refuses this delivery, and one fewer of the next ones. */
export async function takeRefusal(db: Database, sandbox: number): Promise<boolean> {
  const { rows } = await sql`
    update sandbox set refused_deliveries = refused_deliveries - 1
     where id = ${sandbox} and refused_deliveries > 0 returning 1`.execute(db)
  return rows.length === 1
}
