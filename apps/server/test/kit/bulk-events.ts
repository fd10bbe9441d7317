import { createPartner } from '@tiwala/kit/users'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import type { ApiClient } from './api-client.ts'

/** Registers a partner that receives events at this URL. */
export async function createPartnerWithCallback(
  api: ApiClient,
  partner_code: string,
  callback_url: string,
): Promise<string> {
  await createPartner(api.operator, { partner_code, scopes: [], callback_url })
  return partner_code
}

/** Writes `count` events, to these partners in turn. */
export async function writeEvents(db: Database, partnerCodes: string[], count: number): Promise<void> {
  await sql`
    insert into callback_event (partner_id, type, data)
    select p.id, 'authorization.accepted', json_build_object(
             'tracking_no', lpad(n::text, 26, '0'), 'state', 'ACCEPTED', 'scope', 'PROFILE_INQUIRE')
      from generate_series(1, ${count}::int) n
      join partner p
        on p.partner_code = (${partnerCodes}::text[])[1 + n % ${partnerCodes.length}::int]`.execute(db)
}

export async function countDelivered(db: Database): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) from callback_event where status = 'DELIVERED'`.execute(db)
  return rows[0]!.count
}
