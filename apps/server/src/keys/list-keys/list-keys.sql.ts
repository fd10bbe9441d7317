import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { SALTS_IN_USE } from '../../webhooks/webhook-secret.sql.ts'

/**
 * How many stored values need each key, by its kid. HMACs, wrapped keys and salts begin with the kid of their
 * key.
 */
export async function countByKey(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ kid: string; count: number }>`
    select split_part(value, '.', 1) as kid, count(*) as count from (
      select hmac as value from credential where revoked_at is null and clock_now() < expires_at
      union all select uniqid_hmac from citizen where data_key is not null
      union all select hmac from qr_code where used_at is null and clock_now() < expires_at
      union all select hmac from exchange_code where redeemed_at is null and clock_now() < expires_at
      union all select hmac from access_token where used_at is null and clock_now() < expires_at
      union all select data_key from citizen where data_key is not null
      union all select salt from (${SALTS_IN_USE}) w
    ) stored group by 1`.execute(db)
  return new Map(rows.map(({ kid, count }) => [kid, count]))
}
