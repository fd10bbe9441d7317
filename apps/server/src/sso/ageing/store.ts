import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Ageing } from '../../database/private-sandbox.ts'

/**
 * Moves the times of the exchange codes and access tokens between a partner and these citizens into the past.
 *
 * - `aged_code`: the exchange codes.
 */
export async function ageCodes(db: Database, { partnerId, citizenIds, seconds }: Ageing): Promise<void> {
  const age = sql`make_interval(secs => ${seconds})`
  await sql`
    with aged_code as (
      update exchange_code set expires_at = expires_at - ${age}, redeemed_at = redeemed_at - ${age}
       where partner_id = ${partnerId} and citizen_id = any(${citizenIds})
    )
    update access_token
       set expires_at = expires_at - ${age}, used_at = used_at - ${age}, revoked_at = revoked_at - ${age}
     where partner_id = ${partnerId} and citizen_id = any(${citizenIds})`.execute(db)
}

/** Deletes the exchange codes of a partner, and with them its access tokens. */
export async function deleteCodesOf(db: Database, partnerId: number): Promise<void> {
  await sql`delete from exchange_code where partner_id = ${partnerId}`.execute(db)
}
