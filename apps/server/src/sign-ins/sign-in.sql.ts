// The statements of a request to sign in by OpenID Connect, until it is disclosed (`disclose-sign-in.sql.ts`).
//
// A browser begins a request. A citizen opens it with the citizen app and answers. The same browser goes on, which
// binds the request to a grant of the protocol (`grant_hmac`).
//
// Guarantee: each step is one conditional statement, judged by its row count, with its audit row.
import { type RawBuilder, sql } from 'kysely'
import { assertAllAudited, insertAudit, insertAuditWithDetail } from '../audit/insert-audit.sql.ts'
import { citizenAllows, lockCitizens } from '../citizens/citizen-lock.sql.ts'
import { idOfCitizen } from '../citizens/id-of-citizen.sql.ts'
import { lockTime, NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteOldRows } from '../database/delete-old-rows.ts'
import { SIGN_IN_NOTICE } from '../database/notifications.ts'
import type { Assurance } from '../operation.ts'
import { SSO_SCOPE } from '../sso/access-token.ts'
import { QR_SECONDS } from './code.ts'
import type { Item } from './items.ts'

export type SignInState = 'PENDING' | 'APPROVED' | 'DECLINED' | 'EXPIRED' | 'CANCELLED'

const STATE_NOW = sql`case when r.state = 'PENDING' and clock_now() >= r.expires_at then 'EXPIRED' else r.state end`

/** The condition that the partner of a request `r` may sign citizens in, with the purpose `g` of the request. */
export const PARTNER_IS_CURRENT = sql<boolean>`exists (
  select from partner p where p.id = r.partner_id and p.status = 'ACTIVE' and ${SSO_SCOPE} = any(p.scopes))`

/** Fails for a minimum that is not among the levels. */
export const reaches = (levels: string[], acr: RawBuilder<unknown>, minimum: string) => sql<boolean>`
  (${sql.ref(minimum)} is null or
   coalesce(array_position(${levels}::text[], ${sql.ref(minimum)}) <= array_position(${levels}::text[], ${acr}), false))`

export type NewSignIn = {
  id: string
  partnerCode: string
  interactionUid: string
  browserHmac: string
  /** Null: the first purpose. */
  purpose: string | null
  items: Item[]
  minimumAcr: string | null
  maxAgeSeconds: number | null
  comparison: string
  ttlSeconds: number
}

/**
 * Begins a request, or does nothing if this authorization request has one. It asks for those of the items that the
 * purpose grants.
 */
export async function insertSignIn(db: Database, request: NewSignIn): Promise<void> {
  const { id, partnerCode, interactionUid, browserHmac, purpose, items, minimumAcr, maxAgeSeconds } = request
  const ofThese = (granted: string) => sql`array(
             select item from unnest(${items}::text[]) with ordinality as asked (item, place)
              where item = any(${sql.ref(granted)}) order by place)`
  await sql`
    insert into sign_in_request (id, partner_id, interaction_uid, browser_hmac, purpose, items, optional_items,
                                 minimum_acr, max_age_seconds, comparison, expires_at)
    select ${id}, p.id, ${interactionUid}, ${browserHmac}, g.name,
           ${ofThese('g.items')},
           ${ofThese('g.optional_items')},
           ${minimumAcr}, ${maxAgeSeconds}::int, ${request.comparison},
           clock_now() + make_interval(secs => ${request.ttlSeconds})
      from partner p cross join lateral (
        select * from sign_in_purpose g where g.partner_id = p.id and (${purpose}::text is null or g.name = ${purpose})
         order by position limit 1
      ) g
     where p.partner_code = ${partnerCode} and p.status = 'ACTIVE' and ${SSO_SCOPE} = any(p.scopes)
    on conflict (interaction_uid) do nothing`.execute(db)
}

/** `second`: the time of the database's clock, as in the QR code. */
export type PageRow = {
  id: string
  state: SignInState
  comparison: string
  second: number
  seconds_left: number
  name: string
  text: string
  items: Item[]
  optional_items: Item[]
  is_same_device: boolean | null
  is_opened: boolean
  is_assurance_missed: boolean
}

/** The partner may have removed the purpose since. Then no citizen can approve the request, but it can end. */
const TEXT = sql`coalesce(g.text, p.name)`

/** The request that this browser began. */
export async function findOfBrowser(
  db: Database,
  interactionUid: string,
  browserHmacs: string[],
): Promise<PageRow | undefined> {
  const { rows } = await sql<PageRow>`
    select r.id, ${STATE_NOW} as state, r.comparison, floor(extract(epoch from clock_now()))::float8 as second,
           greatest(0, extract(epoch from r.expires_at - clock_now()))::float8 as seconds_left, p.name, ${TEXT} as text,
           r.items, r.optional_items, r.is_same_device, r.citizen_id is not null as is_opened,
           r.is_assurance_missed
      from sign_in_request r join partner p on p.id = r.partner_id
      left join sign_in_purpose g on g.partner_id = r.partner_id and g.name = r.purpose
     where r.interaction_uid = ${interactionUid} and r.browser_hmac = any(${browserHmacs})`.execute(db)
  return rows[0]
}

/** The citizen ended a pending request in the browser. */
export async function cancelSignIn(db: Database, id: string): Promise<void> {
  await sql`
    update sign_in_request r set state = 'CANCELLED', answered_at = clock_now()
     where id = ${id} and state = 'PENDING' returning ${SIGN_IN_NOTICE}`.execute(db)
}

export type SignInRow = {
  id: string
  state: SignInState
  interaction_uid: string
  partner_code: string
  name: string
  text: string
  items: Item[]
  optional_items: Item[]
  is_same_device: boolean
  comparison: string
  minimum_acr: string | null
  requested_at: Date
  expires_at: Date
  answered_at: Date | null
}

/** Of two minimums, the one that comes later in the levels. */
const higher = (levels: string[]) => sql`case
  when coalesce(array_position(${levels}::text[], r.minimum_acr), 0)
     > coalesce(array_position(${levels}::text[], g.minimum_acr), 0) then r.minimum_acr
  else coalesce(g.minimum_acr, r.minimum_acr) end`

/** The request that this citizen has opened. */
export async function findOfCitizen(
  db: Database,
  uniqidHmacs: string[],
  id: string,
  levels: string[],
): Promise<SignInRow | undefined> {
  const { rows } = await sql<SignInRow>`
    select r.id, ${STATE_NOW} as state, r.interaction_uid, p.partner_code, p.name, ${TEXT} as text, r.items, r.optional_items,
           r.is_same_device, r.comparison, ${higher(levels)} as minimum_acr, r.requested_at, r.expires_at, r.answered_at
      from sign_in_request r join partner p on p.id = r.partner_id
      left join sign_in_purpose g on g.partner_id = r.partner_id and g.name = r.purpose
     where r.id = ${id} and r.citizen_id = ${idOfCitizen(uniqidHmacs)}`.execute(db)
  return rows[0]
}

/**
 * Makes this citizen the only one who can answer a pending request, if no other citizen is. A QR code must be of one
 * of the last seconds.
 */
export async function openPending(
  db: Database,
  uniqidHmacs: string[],
  { id, second }: { id: string; second: number | null },
  requestId: string,
): Promise<void> {
  await sql`
    with opened as (
      update sign_in_request r set citizen_id = c.id, is_same_device = ${second === null}
        from citizen c
       where r.id = ${id} and c.uniqid_hmac = any(${uniqidHmacs}) and r.citizen_id is null
         and r.state = 'PENDING' and clock_now() < r.expires_at and r.epoch = (select current_epoch())
         and (${second}::float8 is null or
              floor(extract(epoch from clock_now())) - ${second}::float8 between 0 and ${QR_SECONDS})
      returning r.*, null as tracking_no
    ), audit as (${insertAudit('opened', 'sign_in.opened', requestId)})
    select ${SIGN_IN_NOTICE} from opened r where ${assertAllAudited('opened')}`.execute(db)
}

export type Judgment = {
  is_permitted: boolean
  is_assured: boolean
  is_agreed: boolean
  is_approved: boolean
}

export type SignInApproval = { items: Item[]; assurance: Assurance; levels: string[]; requestId: string }

/**
 * Approves a pending request of the citizen. `undefined`: the citizen has opened no such request.
 *
 * - `locked_citizen`, `request`: the citizen, with the shared lock, and then the locked request.
 * - `judged`: each condition, with the time after these locks.
 * - `approval`: the approved request, if all of them hold.
 * - `missed`: the pending request, if only the assurance was too low.
 * - `audit`: one row, or the statement fails.
 */
export async function approvePending(
  db: Database,
  uniqidHmacs: string[],
  id: string,
  { items, assurance, levels, requestId }: SignInApproval,
): Promise<Judgment | undefined> {
  const { acr, amr, authenticatedAt, hasAuthTime } = assurance
  const { rows } = await sql<Judgment>`
    with ${lockCitizens('shared', idOfCitizen(uniqidHmacs))}, request as (
      select r.*, ${citizenAllows('c', sql`r.partner_id`)} as is_permitted
        from sign_in_request r join locked_citizen c on c.id = r.citizen_id
       where r.id = ${id} for update of r
    ), ${lockTime('request')}, judged as (
      select r.id, r.is_permitted,
             r.state = 'PENDING' and now < r.expires_at and r.epoch = (select current_epoch())
               and ${PARTNER_IS_CURRENT} as is_open,
             ${reaches(levels, sql`${acr}::text`, 'r.minimum_acr')}
               and ${reaches(levels, sql`${acr}::text`, 'g.minimum_acr')}
               and (r.max_age_seconds is null or ${hasAuthTime}::boolean and ${authenticatedAt}::timestamptz
                      >= r.requested_at - make_interval(secs => r.max_age_seconds)) as is_assured,
             r.items <@ ${items}::text[] and ${items}::text[] <@ (r.items || r.optional_items) as is_agreed
        from request r cross join lock_time
        join sign_in_purpose g on g.partner_id = r.partner_id and g.name = r.purpose
    ), approval as (
      update sign_in_request r
         set state = 'APPROVED', answered_at = now, shared_items = ${items}, acr = ${acr}, amr = ${amr},
             authenticated_at = ${authenticatedAt}
        from judged j, lock_time
       where r.id = j.id and j.is_open and j.is_permitted and j.is_assured and j.is_agreed
      returning r.*, null as tracking_no, array_to_string(r.shared_items, ' ') as detail
    ), missed as (
      update sign_in_request r set is_assurance_missed = true from judged j
       where r.id = j.id and j.is_open and j.is_permitted and j.is_agreed and not j.is_assured
         and not r.is_assurance_missed
    ), audit as (${insertAuditWithDetail('approval', 'sign_in.approved', requestId)})
    select is_permitted, is_assured, is_agreed, r.id is not null as is_approved, ${SIGN_IN_NOTICE}
      from judged left join approval r on true where ${assertAllAudited('approval')}`.execute(db)
  return rows[0]
}

/** Declines a pending request of the citizen. */
export async function declinePending(
  db: Database,
  uniqidHmacs: string[],
  id: string,
  requestId: string,
): Promise<void> {
  await sql`
    with decline as (
      update sign_in_request r set state = 'DECLINED', answered_at = clock_now() from citizen c
       where r.id = ${id} and c.id = r.citizen_id and c.uniqid_hmac = any(${uniqidHmacs})
         and r.state = 'PENDING' and clock_now() < r.expires_at
      returning r.*, null as tracking_no
    ), audit as (${insertAudit('decline', 'sign_in.declined', requestId)})
    select ${SIGN_IN_NOTICE} from decline r where ${assertAllAudited('decline')}`.execute(db)
}

export type Continuation = {
  subject: string
  acr: string | null
  amr: string[] | null
  auth_time: number
}

/**
 * Binds an approved request to one grant of the protocol. The browser may come some minutes after the answer, as the app
 * brings it back. `undefined`: it is not approved, or went on with another grant, or to its disclosure.
 */
export async function continueSignIn(
  db: Database,
  id: string,
  grantHmac: string,
): Promise<Continuation | undefined> {
  const { rows } = await sql<Continuation>`
    update sign_in_request r set grant_hmac = ${grantHmac} from citizen c
     where r.id = ${id} and c.id = r.citizen_id and r.state = 'APPROVED'
       and coalesce(r.grant_hmac, ${grantHmac}) = ${grantHmac} and r.disclosed_at is null
       and clock_now() < r.answered_at + interval '5 minutes'
    returning c.subject, r.acr, r.amr, floor(extract(epoch from r.authenticated_at))::float8 as auth_time`.execute(
    db,
  )
  return rows[0]
}

/**
 * Deletes requests that no citizen opened, 15 minutes after they expired, when the browser has ended, too; returns how many.
 * Every anonymous browser can begin requests.
 */
export const deleteUnopenedSignIns = (db: Database, limit: number): Promise<number> => {
  const isOld = sql`citizen_id is null and expires_at < ${NOW} - interval '15 minutes'`
  return deleteOldRows(db, 'sign_in_request', ['id'], isOld, limit)
}

/** Deletes requests that expired long ago; returns how many. */
export const deleteExpiredSignIns = (db: Database, keptHours: number, limit: number): Promise<number> => {
  const isOld = sql`expires_at < ${NOW} - make_interval(hours => ${keptHours})`
  return deleteOldRows(db, 'sign_in_request', ['id'], isOld, limit)
}
