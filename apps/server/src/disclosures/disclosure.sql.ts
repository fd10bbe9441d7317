import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/** The audit events that are disclosures, and the name of each in the API. */
export const WAY_OF = {
  'profile.disclosed': 'INQUIRE',
  'profile.viewed': 'QR',
  'sso.authenticated': 'SSO',
} as const

export const DISCLOSURE_KINDS = Object.keys(WAY_OF)

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
  partner_code: string
  name: string
  purpose: string
  disputed_at: Date | null
}

/** The columns of `DisclosureRow`. */
const DISCLOSURE_COLUMNS = sql`a.id, a.request_id, a.occurred_at, a.kind, a.tracking_no,
  p.partner_code, p.name, p.purpose, d.disputed_at`

/**
 * The `from` clause for a citizen's own disclosures `a`, with the partner `p` and the dispute `d` of each.
 * `offset 0` makes PostgreSQL read the events of this citizen first. Otherwise it might search the events of
 * all citizens, newest first.
 */
export const fromDisclosuresOf = (uniqidHmacs: string[]) => sql`
      from (
        select * from audit_event
         where citizen_id = (select id from citizen where uniqid_hmac = any(${uniqidHmacs}))
           and kind = any(${DISCLOSURE_KINDS}) offset 0
      ) a join partner p on p.id = a.partner_id left join dispute d on d.request_id = a.request_id
     where true`

/** Newest first. */
export async function listDisclosuresOf(
  db: Database,
  uniqidHmacs: string[],
  after: number | undefined,
  limit: number,
): Promise<DisclosureRow[]> {
  const { rows } = await sql<DisclosureRow>`
    select ${DISCLOSURE_COLUMNS} ${fromDisclosuresOf(uniqidHmacs)}
       and (${after ?? null}::bigint is null or a.id < ${after ?? null})
     order by a.id desc limit ${limit}`.execute(db)
  return rows
}

export async function findDisclosure(
  db: Database,
  uniqidHmacs: string[],
  requestId: string,
): Promise<DisclosureRow | undefined> {
  const { rows } = await sql<DisclosureRow>`
    select ${DISCLOSURE_COLUMNS} ${fromDisclosuresOf(uniqidHmacs)} and a.request_id = ${requestId}`.execute(
    db,
  )
  return rows[0]
}
