import { sql } from 'kysely'
import { idOfCitizen } from '../../citizens/id-of-citizen.sql.ts'
import type { Database } from '../../database/connect.ts'
import { MAX_ID } from '../../database/pagination.ts'
import { type ConsentRow, CONSENT_COLUMNS } from '../consent.sql.ts'
import type { Position } from '../record-position.ts'
import { isInState, type State, storedStatesOf } from '../record.sql.ts'

type Page = { state: State | undefined; after: Position | undefined; limit: number }

/**
 * Newest first, by the index `authorization_record_citizen_state`, as `findRecordsOfPartner` reads a partner's records.
 * The citizen's id is a subquery for the same reason as in `findConsent`.
 */
export async function listConsents(
  db: Database,
  uniqidHmacs: string[],
  { state, after, limit }: Page,
): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select ${CONSENT_COLUMNS} from (
      select page.* from unnest(${storedStatesOf(state)}::text[]) as stored (state) cross join lateral (
        select * from authorization_record r
         where r.citizen_id = ${idOfCitizen(uniqidHmacs)}
           and r.state = stored.state
           and (r.requested_at, r.id)
               < (${after?.requestedAt ?? 'infinity'}::timestamptz, ${after?.id ?? MAX_ID}::bigint)
           and ${isInState(state)}
         order by r.requested_at desc, r.id desc limit ${limit}
      ) page order by page.requested_at desc, page.id desc limit ${limit}
    ) r cross join lateral (select * from partner where id = r.partner_id limit 1) p
     order by r.requested_at desc, r.id desc`.execute(db)
  return rows
}
