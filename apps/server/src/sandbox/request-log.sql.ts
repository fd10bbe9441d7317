import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import type { ListedRequest } from './bootstrap-format.ts'

/** Of each sandbox, the newest are kept. */
const MAX_REQUESTS = 100

/** A request, and the partner that it authenticated as or names. */
export type LoggedRequest = Omit<ListedRequest, 'received_at'> & {
  partner_id: number | null
  secret_code: string | null
  partner_code: string | null
  ago_seconds: number
}

/**
 * Inserts the requests of the partners of sandboxes, and ignores the others.
 *
 * - `input`: the requests.
 * - `own_request`: those of sandboxes, with their position in the sandbox, newest first.
 * - `new_request`: the sandboxes that got a request.
 */
export async function insertRequests(db: Database, requests: LoggedRequest[]): Promise<void> {
  await sql`
    with input as (
      select * from json_to_recordset(${JSON.stringify(requests)}::text::json)
        as i (request_id text, method text, operation text, status int, error text, duration_ms int,
              partner_id bigint, secret_code text, partner_code text, ago_seconds float8)
    ), own_request as (
      select s.id as sandbox, i.*, row_number() over (partition by s.id order by i.ago_seconds) as nth
        from input i
        join partner p on p.id = i.partner_id or p.secret_code = i.secret_code
                       or p.partner_code = i.partner_code
        join sandbox s on s.partner_id = p.id
    ), new_request as (
      insert into sandbox_request
             (sandbox, request_id, received_at, method, operation, status, error, duration_ms)
      select sandbox, request_id, clock_now() - make_interval(secs => ago_seconds),
             method, operation, status, error, duration_ms
        from own_request where nth <= ${MAX_REQUESTS} order by ago_seconds desc
      returning sandbox
    )
    delete from sandbox_request where id in (
      select id from (
        select id, row_number() over (partition by sandbox order by id desc) as nth
          from sandbox_request where sandbox in (select sandbox from new_request)
      ) r where nth > ${MAX_REQUESTS}
    )`.execute(db)
}

type RequestRow = Omit<ListedRequest, 'received_at'> & { received_at: Date }

/** Newest first. */
export async function listRequests(db: Database, sandbox: number): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select request_id, received_at, method, operation, status, error, duration_ms
      from sandbox_request where sandbox = ${sandbox} order by id desc limit ${MAX_REQUESTS}`.execute(db)
  return rows
}
