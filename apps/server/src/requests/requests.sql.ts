import { type ErrorCode, routes, type Schemas } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import { sql } from 'kysely'
import { documents, operationsOf } from '../contract/documents.ts'
import type { Database } from '../database/connect.ts'
import { CLIENT_WENT_AWAY } from '../failure.ts'

/** A request, and the partner that it authenticated as or names. `operation`: empty if it is not known. */
export type NewRequest = {
  request_id: string
  method: string
  operation: string
  status: number
  error: string | null
  duration_ms: number
  partner_id: number | null
  secret_code: string | null
  partner_code: string | null
  credential_id: number | null
  address: string | null
  told_state: string | null
  retry_after_seconds: number | null
  is_from_browser: boolean
  ago_seconds: number
}

/** Inserts the requests whose partner exists. Times have whole milliseconds, as the cursors of the list. */
export async function insertRequests(db: Database, requests: NewRequest[]): Promise<void> {
  await sql`
    insert into partner_request (partner_id, operation, received_at, request_id, method, status, error,
                                 duration_ms, credential_id, address, told_state, retry_after_seconds, is_from_browser)
    select coalesce(i.partner_id, p.id, q.id), i.operation,
           date_trunc('milliseconds', n.now - make_interval(secs => i.ago_seconds)), i.request_id,
           i.method, i.status, i.error, i.duration_ms, i.credential_id, i.address, i.told_state,
           i.retry_after_seconds, i.is_from_browser
      from (select clock_now() as now) n, json_to_recordset(${JSON.stringify(requests)}::text::json)
             as i (request_id text, method text, operation text, status int, error text, duration_ms int,
                   partner_id bigint, secret_code text, partner_code text, credential_id bigint, address text,
                   told_state text, retry_after_seconds int, is_from_browser boolean, ago_seconds float8)
      left join partner p on i.partner_id is null and p.secret_code = i.secret_code
      left join partner q on i.partner_id is null and q.partner_code = i.partner_code
     where coalesce(i.partner_id, p.id, q.id) is not null`.execute(db)
}

export type RequestPosition = { receivedAt: Date; requestId: string }
export type RequestRow = Omit<Schemas['PartnerRequest'], 'received_at' | 'error'> & {
  received_at: Date
  error: ErrorCode | null
}

export type RequestFilter = {
  since: Date | undefined
  until: Date | undefined
  operation: string | undefined
  /** The first and the last status. */
  statuses: readonly [number, number]
  error: string | undefined
}

export const EVERY_STATUS = [0, 999] as const

const COLUMNS = sql`r.request_id, r.received_at, r.method, nullif(r.operation, '') as operation, r.status, r.error,
           r.duration_ms, (select c.credential_id from credential c where c.id = r.credential_id) as credential_id,
           r.address`

/** Of the partner API. */
const OPERATIONS = Object.keys(routes.partner)
/** Above every id of a request. */
const LAST_ID = '~'

/** The codes of refused requests with such a status, and no code for `CLIENT_WENT_AWAY`. */
const errorsBetween = (first: number, last: number) =>
  [...Object.entries(catalogue), ['', { status: CLIENT_WENT_AWAY }] as const].flatMap(([code, { status }]) =>
    status >= first && status <= last ? [code] : [],
  )

/** The statuses with which the operations succeed. */
const SUCCESSES = operationsOf(documents.partner)
  .flatMap(({ operation }) => Object.keys(operation.responses).map(Number))
  .filter((status) => status < 400)

/**
 * Requests of the partner, newest first. Each operation has two ranges of its own in the index `partner_request_operation`,
 * below 400 and from 400 on, each operation with each error one in `partner_request_error`, and at most one page of each
 * range is read. The refused requests are two ranges of `partner_request_refused`: below 500, and from 500 on. So a page
 * costs the same for any number of requests.
 */
export async function findRequests(
  db: Database,
  partnerId: number,
  { since, until, operation, statuses, error }: RequestFilter,
  after: RequestPosition | undefined,
  limit: number,
): Promise<RequestRow[]> {
  const [first, last] = statuses
  const operations = operation === undefined ? [...OPERATIONS, ''] : [operation]
  const errors = errorsBetween(first, last)
  const canSucceed = SUCCESSES.some((status) => status >= first && status <= last)
  // Without this, a filter that fits no request reads all of them.
  if (error === undefined ? !canSucceed && !errors.length : !errors.includes(error)) return []
  const isRefused = error !== undefined || first >= 400
  const isWhole = operation === undefined && error === undefined && first % 100 === 0 && last >= first + 99
  const halves = [...(first < 500 ? [false] : []), ...(last >= 500 ? [true] : [])]
  const byOperation = sql`unnest(${operations}::text[]) as o (name)`
  const [ranges, isInRange] = !isRefused
    ? [
        sql`${byOperation} cross join unnest(${last < 400 ? [false] : [false, true]}::boolean[]) as f (is_refused)`,
        sql`r.operation = o.name and (r.status >= 400) = f.is_refused`,
      ]
    : isWhole
      ? [
          sql`unnest(${halves}::boolean[]) as h (is_fault)`,
          sql`r.status >= 400 and (r.status >= 500) = h.is_fault`,
        ]
      : [
          sql`${byOperation} cross join unnest(${error === undefined ? errors : [error]}::text[]) as e (code)`,
          sql`r.status >= 400 and coalesce(r.error, '') = e.code and r.operation = o.name`,
        ]
  const { rows } = await sql<RequestRow>`
    select ${COLUMNS} from (
      select page.* from ${ranges}
       cross join lateral (
        select * from partner_request r
         where r.partner_id = ${partnerId} and ${isInRange}
           and (r.received_at, r.request_id)
               < (${after?.receivedAt ?? until ?? 'infinity'}::timestamptz, ${after?.requestId ?? (until ? '' : LAST_ID)}::text)
           and r.received_at >= ${since ?? '-infinity'}::timestamptz
           and r.status between ${first} and ${last}
           and (${error ?? null}::text is null or r.error = ${error ?? null})
         order by r.received_at desc, r.request_id desc limit ${limit}
      ) page order by page.received_at desc, page.request_id desc limit ${limit}
    ) r order by r.received_at desc, r.request_id desc`.execute(db)
  return rows
}

/** A request of the partner: that of another partner looks exactly like none. */
export async function findRequest(
  db: Database,
  partnerId: number,
  requestId: string,
): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    select ${COLUMNS} from partner_request r
     where r.request_id = ${requestId} and r.partner_id = ${partnerId} limit 1`.execute(db)
  return rows[0]
}

/** The partner whose request has this id. */
export async function findPartnerOfRequest(
  db: Database,
  requestId: string,
): Promise<{ id: number; partner_code: string; name: string } | undefined> {
  const { rows } = await sql<{ id: number; partner_code: string; name: string }>`
    select p.id, p.partner_code, p.name from partner_request r join partner p on p.id = r.partner_id
     where r.request_id = ${requestId} limit 1`.execute(db)
  return rows[0]
}

export type TrafficRow = Pick<
  RequestRow,
  'request_id' | 'received_at' | 'operation' | 'status' | 'error' | 'duration_ms'
> & {
  told_state: Schemas['AuthorizationState'] | null
  retry_after_seconds: number | null
  is_looked_up: boolean
  /** A server of the partner sent it: neither a page nor anyone who only names the partner. */
  is_own: boolean
}

/** What the partner has sent, newest first. Each operation has two ranges of its own in the index, as in `findRequests`. */
export async function findTraffic(db: Database, partnerId: number, limit: number): Promise<TrafficRow[]> {
  const { rows } = await sql<TrafficRow>`
    select r.request_id, r.received_at, nullif(r.operation, '') as operation, r.status, r.error, r.duration_ms,
           r.told_state, r.retry_after_seconds, r.is_looked_up, r.credential_id is not null and not r.is_from_browser as is_own
      from unnest(${[...OPERATIONS, '']}::text[]) as o (name) cross join unnest(${[false, true]}::boolean[]) as f (is_refused)
     cross join lateral (
       select * from partner_request r
        where r.partner_id = ${partnerId} and r.operation = o.name and (r.status >= 400) = f.is_refused
        order by r.received_at desc, r.request_id desc limit ${limit}
     ) r order by r.received_at desc, r.request_id desc limit ${limit}`.execute(db)
  return rows
}

/** The partner has read why its request was rejected. A request that is not in the log yet stays as it is. */
export async function markLookedUp(db: Database, partnerId: number, requestId: string): Promise<void> {
  await sql`
    update partner_request set is_looked_up = true
     where request_id = ${requestId} and partner_id = ${partnerId} and status >= 400 and not is_looked_up`.execute(
    db,
  )
}
