import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type ConsentRow, CONSENT_COLUMNS } from '../consent.sql.ts'
import type { Position } from '../record-position.ts'
import { type State, STATE_NOW } from '../record.sql.ts'

type Page = { state: State | undefined; after: Position | undefined; limit: number }

/** Newest first. The citizen's id is a subquery for the same reason as in `findConsent`. */
export async function listConsents(
  db: Database,
  uniqidHmacs: string[],
  { state, after, limit }: Page,
): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select ${CONSENT_COLUMNS}
      from authorization_record r join partner p on p.id = r.partner_id
     where r.citizen_id = (select id from citizen where uniqid_hmac = any(${uniqidHmacs}))
       and (${state ?? null}::text is null or ${STATE_NOW} = ${state ?? null})
       and (${after?.id ?? null}::bigint is null
            or (r.requested_at, r.id)
               < (${after?.requestedAt ?? null}::timestamptz, ${after?.id ?? null}::bigint))
     order by r.requested_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}
