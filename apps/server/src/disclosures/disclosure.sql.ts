import { type RawBuilder, sql } from 'kysely'
import type { ArchivedDisclosure } from '../audit/archive/archive-files.ts'
import { idOfCitizen } from '../citizens/id-of-citizen.sql.ts'
import type { Database } from '../database/connect.ts'
import { MAX_ID, rangeOf } from '../database/pagination.ts'

/** The audit events that are disclosures, and the name of each in the API. */
export const WAY_OF = {
  'profile.disclosed': 'INQUIRE',
  'profile.viewed': 'QR',
  'sso.authenticated': 'SSO',
} as const

const DISCLOSURE_KINDS = Object.keys(WAY_OF)

export type DisclosureRow = {
  /** The internal id, which gives the order. Never sent: it would reveal the number of events. */
  id: number
  /**
   * The id of the disclosure in the API: a request discloses at most once, and its id reveals neither order
   * nor number.
   */
  request_id: string
  occurred_at: Date
  kind: keyof typeof WAY_OF
  tracking_no: string | null
  /** The items of a sign-in by OpenID Connect. Null: every other disclosure has the fields of its way. */
  detail: string | null
  partner_code: string
  name: string
  purpose: string
  disputed_at: Date | null
}

/** The columns of `DisclosureRow`. */
const DISCLOSURE_COLUMNS = sql`a.id, a.request_id, a.occurred_at, a.kind, a.tracking_no, a.detail,
  p.partner_code, p.name, p.purpose, d.disputed_at`

/** The condition of the index `audit_event_disclosure`, part of that of `audit_event_of_citizen`. Literals, so that every plan can use them. */
const IS_DISCLOSURE = sql`kind in (${sql.join(DISCLOSURE_KINDS.map((kind) => sql.lit(kind)))})`

/**
 * The disclosures by a request: one, if the audit is intact. `offset 0` makes PostgreSQL search by the request, which has
 * an index. Otherwise it might read all disclosures of the citizen.
 */
export const disclosuresOfRequest = (requestId: RawBuilder<unknown> | string) => sql`
  select * from audit_event where request_id = ${requestId} and ${IS_DISCLOSURE} offset 0`

/** The condition that the event `a` is of this citizen. */
export const isOfCitizen = (uniqidHmacs: string[]) => sql`a.citizen_id = ${idOfCitizen(uniqidHmacs)}`

/** The partner `p` and the dispute `d` of a disclosure `a`. */
const WITH_PARTNER_AND_DISPUTE = sql`
      cross join lateral (select * from partner where id = a.partner_id limit 1) p
      left join lateral (select * from dispute where request_id = a.request_id limit 1) d on true`

/** Newest first. Each kind has a range of its own in an index, and at most one page of each range is read. */
export async function listDisclosuresOf(
  db: Database,
  uniqidHmacs: string[],
  after: number | undefined,
  limit: number,
): Promise<DisclosureRow[]> {
  const range = rangeOf(
    [
      ['a.citizen_id', idOfCitizen(uniqidHmacs)],
      ['a.kind', sql.ref('disclosure.kind')],
    ],
    [['a.id', after ?? MAX_ID]],
  )
  const { rows } = await sql<DisclosureRow>`
    select ${DISCLOSURE_COLUMNS} from (
      select a.* from unnest(${DISCLOSURE_KINDS}::text[]) as disclosure (kind) cross join lateral (
        select * from audit_event a where ${IS_DISCLOSURE} and ${range} limit ${limit}
      ) a order by a.id desc limit ${limit}
    ) a ${WITH_PARTNER_AND_DISPUTE} order by a.id desc`.execute(db)
  return rows
}

export async function findDisclosure(
  db: Database,
  uniqidHmacs: string[],
  requestId: string,
): Promise<DisclosureRow | undefined> {
  const { rows } = await sql<DisclosureRow>`
    select ${DISCLOSURE_COLUMNS} from (${disclosuresOfRequest(requestId)}) a ${WITH_PARTNER_AND_DISPUTE}
     where ${isOfCitizen(uniqidHmacs)}`.execute(db)
  return rows[0]
}

export async function findCitizenId(db: Database, uniqidHmacs: string[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from citizen where uniqid_hmac = any(${uniqidHmacs})`.execute(db)
  return rows[0]?.id
}

/** Adds the partner and the dispute to disclosures from the archive. */
export async function completeDisclosures(
  db: Database,
  found: ArchivedDisclosure[],
): Promise<DisclosureRow[]> {
  type Added = Pick<DisclosureRow, 'request_id' | 'partner_code' | 'name' | 'purpose' | 'disputed_at'>
  const { rows } = await sql<Added>`
    select a.request_id, p.partner_code, p.name, p.purpose, d.disputed_at
      from unnest(${found.map(({ request_id }) => request_id)}::text[],
                  ${found.map(({ partner_id }) => partner_id)}::bigint[]) as a (request_id, partner_id)
      ${WITH_PARTNER_AND_DISPUTE}`.execute(db)
  const added = new Map(rows.map((row) => [row.request_id, row]))
  return found.flatMap(({ occurred_at, ...row }) => {
    const own = added.get(row.request_id)
    return own ? [{ ...row, occurred_at: new Date(occurred_at), ...own }] : []
  })
}
