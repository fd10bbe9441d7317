import { sql } from 'kysely'
import type { ArchivedDisclosure } from '../audit/archive/archive-files.ts'
import { insertAudit } from '../audit/insert-audit.sql.ts'
import { idOfCitizen } from '../citizens/id-of-citizen.sql.ts'
import type { Database } from '../database/connect.ts'
import { filterBy, filterByPartner, MAX_ID, rangeOf } from '../database/pagination.ts'
import { disclosuresOfRequest, type DisclosureRow, isOfCitizen } from './disclosure.sql.ts'

/**
 * Records that the citizen disputes a disclosure; does nothing if it is disputed already. `disclosureId` is
 * the id of the request that disclosed.
 *
 * - `disclosure`: the citizen's own disclosure with this id.
 * - `dispute_row`: the dispute; none if one exists already.
 * - `new_dispute`: the disclosure, if the dispute is new. It gets an audit row in the same transaction.
 */
export async function insertDispute(
  db: Database,
  uniqidHmacs: string[],
  disclosureId: string,
  requestId: string,
): Promise<void> {
  await sql`
    with disclosure as (
      select a.request_id, a.partner_id, a.citizen_id, a.tracking_no
        from (${disclosuresOfRequest(disclosureId)}) a where ${isOfCitizen(uniqidHmacs)}
    ), dispute_row as (
      insert into dispute (request_id, citizen_id, partner_id)
      select request_id, citizen_id, partner_id from disclosure
      on conflict (request_id) do nothing returning request_id
    ), new_dispute as (
      select partner_id, citizen_id, tracking_no from disclosure join dispute_row using (request_id)
    )
    ${insertAudit('new_dispute', 'disclosure.disputed', requestId)}`.execute(db)
}

/** Like `insertDispute`, for a disclosure of the citizen that is in the archive. The row keeps what the list of disputes shows of it. */
export async function insertArchivedDispute(
  db: Database,
  { request_id, citizen_id, partner_id, kind, tracking_no, occurred_at }: ArchivedDisclosure,
  requestId: string,
): Promise<void> {
  await sql`
    with new_dispute as (
      insert into dispute (request_id, citizen_id, partner_id, disclosed_at, kind, tracking_no)
      values (${request_id}, ${citizen_id}, ${partner_id}, ${occurred_at}::timestamptz, ${kind}, ${tracking_no})
      on conflict (request_id) do nothing returning partner_id, citizen_id, tracking_no
    )
    ${insertAudit('new_dispute', 'disclosure.disputed', requestId)}`.execute(db)
}

export type DisputeRow = Omit<DisclosureRow, 'id' | 'purpose' | 'disputed_at'> & {
  disputed_at: Date
}

/** The position of a disclosure's dispute, for paging. */
export async function locateDispute(db: Database, requestId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from dispute where request_id = ${requestId}`.execute(
    db,
  )
  return rows[0]?.id
}

/** Of one partner, of one citizen, or all. */
type DisputePage = {
  partnerCode?: string | undefined
  uniqidHmacs?: string[]
  after?: number | undefined
  limit: number
}

/** Newest first. The dispute names the request that disclosed, and the citizen of the disclosure. */
export async function listAllDisputes(
  db: Database,
  { partnerCode, uniqidHmacs, after, limit }: DisputePage,
): Promise<DisputeRow[]> {
  const filters = uniqidHmacs
    ? filterBy('d.citizen_id', idOfCitizen(uniqidHmacs))
    : filterByPartner('d.partner_id', partnerCode)
  const { rows } = await sql<DisputeRow>`
    select d.request_id, coalesce(a.occurred_at, d.disclosed_at) as occurred_at, coalesce(a.kind, d.kind) as kind,
           coalesce(a.tracking_no, d.tracking_no) as tracking_no, p.partner_code, p.name, d.disputed_at
      from dispute d cross join lateral (select * from partner where id = d.partner_id limit 1) p
      left join lateral (
        select * from (${disclosuresOfRequest(sql.ref('d.request_id'))}) a
         where a.citizen_id = d.citizen_id limit 1
      ) a on true
     where (a.id is not null or d.disclosed_at is not null) and ${rangeOf(filters, [['d.id', after ?? MAX_ID]])}
     limit ${limit}`.execute(db)
  return rows
}
