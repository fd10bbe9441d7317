import { sql } from 'kysely'
import { insertAudit } from '../audit/store.ts'
import type { Database } from '../database/connect.ts'

/** The audit events by which a partner was given the citizen's data, and what the documents call each. */
export const WAY_OF = { 'profile.disclosed': 'INQUIRE', 'profile.viewed': 'QR', 'sso.authenticated': 'SSO' } as const
const DISCLOSING = Object.keys(WAY_OF)

export type DisclosureRow = {
  /** Its place among all; for no eyes outside. */
  id: number
  /** A request discloses at most once: its id names the disclosure, and tells nothing of order or number. */
  request_id: string
  occurred_at: Date
  kind: keyof typeof WAY_OF
  tracking_no: string | null
  partner_code: string
  name: string
  purpose: string
  disputed_at: Date | null
}

const DISCLOSURE = sql`a.id, a.request_id, a.occurred_at, a.kind, a.tracking_no, p.partner_code, p.name, p.purpose, d.disputed_at`

/**
 * The citizen's own disclosures `a`, with what is said of each. They are read by the citizen, all of them (`offset 0`): to return the newest
 * first, PostgreSQL might otherwise go through the events of all citizens from the newest on.
 */
const disclosuresOf = (uniqidHmacs: string[]) => sql`
      from (
        select * from audit_event where citizen_id = (select id from citizen where uniqid_mac = any(${uniqidHmacs})) and kind = any(${DISCLOSING}) offset 0
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
    select ${DISCLOSURE} ${disclosuresOf(uniqidHmacs)} and (${after ?? null}::bigint is null or a.id < ${after ?? null})
     order by a.id desc limit ${limit}`.execute(db)
  return rows
}

export async function findDisclosure(db: Database, uniqidHmacs: string[], requestId: string): Promise<DisclosureRow | undefined> {
  const { rows } = await sql<DisclosureRow>`select ${DISCLOSURE} ${disclosuresOf(uniqidHmacs)} and a.request_id = ${requestId}`.execute(db)
  return rows[0]
}

/** Records that the citizen disputes a disclosure of theirs, `by` this request; or does nothing, if they do already. */
export async function insertDispute(db: Database, uniqidHmacs: string[], requestId: string, by: string): Promise<void> {
  await sql`
    with disclosed as (
      select a.request_id, a.partner_id, a.citizen_id, a.tracking_no ${disclosuresOf(uniqidHmacs)} and a.request_id = ${requestId}
    ), disputed as (
      insert into dispute (request_id, citizen_id, partner_id) select request_id, citizen_id, partner_id from disclosed
      on conflict (request_id) do nothing returning request_id
    ), noted as (
      select partner_id, citizen_id, tracking_no from disclosed join disputed using (request_id)
    )
    ${insertAudit('noted', 'disclosure.disputed', by)}`.execute(db)
}

export type DisputeRow = Omit<DisclosureRow, 'id' | 'name' | 'purpose' | 'disputed_at'> & { disputed_at: Date }

/** Where the dispute of a disclosure stands among all. */
export async function locateDispute(db: Database, requestId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from dispute where request_id = ${requestId}`.execute(db)
  return rows[0]?.id
}

type DisputePage = { partnerCode: string | undefined; after: number | undefined; limit: number }

/** Newest first. The citizen leads to the event by an index, and is not told. */
export async function listAllDisputes(db: Database, { partnerCode, after, limit }: DisputePage): Promise<DisputeRow[]> {
  const { rows } = await sql<DisputeRow>`
    select a.request_id, a.occurred_at, a.kind, a.tracking_no, p.partner_code, d.disputed_at
      from dispute d join partner p on p.id = d.partner_id cross join lateral (
        select * from audit_event a where a.citizen_id = d.citizen_id and a.request_id = d.request_id and a.kind = any(${DISCLOSING}) limit 1
      ) a
     where (${partnerCode ?? null}::text is null or p.partner_code = ${partnerCode ?? null})
       and (${after ?? null}::bigint is null or d.id < ${after ?? null})
     order by d.id desc limit ${limit}`.execute(db)
  return rows
}
