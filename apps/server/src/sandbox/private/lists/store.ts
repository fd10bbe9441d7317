// What a private sandbox shows of itself: the requests of its partner and the events of its inbox. Only the
// newest rows of each are kept.
import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { type ListedRequest, MAX_RECORDS } from '../../bootstrap-format.ts'
import type { PrivateSandbox } from '../store.ts'

const MAX_REQUESTS = 100
const MAX_EVENTS = 50

type RequestRow = Omit<ListedRequest, 'received_at'> & { received_at: Date }

/** A request, and the partner that it authenticated as or names. */
export type LoggedRequest = Omit<ListedRequest, 'received_at'> & {
  partner_id: number | null
  secret_code: string | null
  partner_code: string | null
  ago_seconds: number
}

/**
 * Inserts the requests of partners of private sandboxes, and ignores the others.
 *
 * - `input`: the requests, in their order.
 * - `new_request`: those of private sandboxes.
 */
export async function insertRequests(db: Database, requests: LoggedRequest[]): Promise<void> {
  await sql`
    with input as (
      select * from json_to_recordset(${JSON.stringify(requests)}::text::json)
        as i (request_id text, method text, operation text, status int, error text, duration_ms int,
              partner_id bigint, secret_code text, partner_code text, ago_seconds float8)
    ), new_request as (
      insert into sandbox_request
             (sandbox, request_id, received_at, method, operation, status, error, duration_ms)
      select s.id, i.request_id, clock_now() - make_interval(secs => i.ago_seconds),
             i.method, i.operation, i.status, i.error, i.duration_ms
        from input i
        join partner p on p.id = i.partner_id or p.secret_code = i.secret_code
                       or p.partner_code = i.partner_code
        join sandbox s on s.partner_id = p.id
       order by i.ago_seconds desc
      returning sandbox
    )
    delete from sandbox_request where id in (
      select id from (
        select id, row_number() over (partition by sandbox order by id desc) as nth
          from sandbox_request where sandbox in (select sandbox from new_request)
      ) r where nth > ${MAX_REQUESTS}
    )`.execute(db)
}

/** Newest first. */
export async function listRequests(db: Database, sandbox: number): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select request_id, received_at, method, operation, status, error, duration_ms
      from sandbox_request where sandbox = ${sandbox} order by id desc limit ${MAX_REQUESTS}`.execute(db)
  return rows
}

export type ReceivedEvent = {
  is_refused: boolean
  webhook_id: string
  webhook_timestamp: string | null
  webhook_signature: string | null
  signature_ok: boolean
  body: string
}
export type ListedEvent = ReceivedEvent & { received_at: Date; attempts: number }

/** The tracking numbers of the newest records of a sandbox. */
export async function listTrackingNos(
  db: Database,
  { partner_id, citizen_ids }: Pick<PrivateSandbox, 'partner_id' | 'citizen_ids'>,
): Promise<string[]> {
  const { rows } = await sql<{ tracking_no: string }>`
    select tracking_no from authorization_record
     where partner_id = ${partner_id} and citizen_id = any(${citizen_ids})
     order by requested_at desc, id desc limit ${MAX_RECORDS}`.execute(db)
  return rows.map(({ tracking_no }) => tracking_no)
}

/**
 * Stores an event that the inbox received. An event that is received again counts as one more attempt.
 *
 * - `old_event`: the oldest events, which are deleted.
 */
export async function upsertEvent(db: Database, sandbox: number, event: ReceivedEvent): Promise<void> {
  await sql`
    with old_event as (
      delete from sandbox_event where id in (
        select id from sandbox_event where sandbox = ${sandbox} and webhook_id <> ${event.webhook_id}
         order by id desc offset ${MAX_EVENTS - 1}
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
export async function listEvents(db: Database, sandbox: number): Promise<ListedEvent[]> {
  const { rows } = await sql<ListedEvent>`
    select received_at, attempts, is_refused, webhook_id, webhook_timestamp, webhook_signature, signature_ok,
           body
      from sandbox_event where sandbox = ${sandbox} order by id desc`.execute(db)
  return rows
}
