import { sql } from 'kysely'
import { NOW } from '../../database/clock.ts'
import type { Database } from '../../database/connect.ts'
import { SALTS_IN_USE } from '../../webhooks/webhook-secret.sql.ts'

/**
 * How many stored values need each key, by its kid. HMACs, wrapped keys and salts begin with the kid of their
 * key. The citizens are counted by triggers, and the codes that can be used are a range of their index. The erased
 * citizens are an index of their own, with few entries: an administrator erases each of them.
 */
export async function countByKey(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ kid: string; count: number }>`
    select kid, sum(count)::bigint as count from (
      select pepper_kid as kid, citizens as count from citizen_key_count
      union all select wrapping_kid, citizens from citizen_key_count
      union all
      select split_part(erased_uniqid_hmac, '.', 1), count(*) from citizen
       where erased_uniqid_hmac is not null group by 1
      union all select split_part(value, '.', 1), 1 from (
      select hmac as value from credential where revoked_at is null and clock_now() < expires_at
      union all select hmac from qr_code where used_at is null and ${NOW} < expires_at
      union all select hmac from exchange_code where redeemed_at is null and ${NOW} < expires_at
      union all select hmac from access_token where used_at is null and ${NOW} < expires_at
      union all select salt from (${SALTS_IN_USE}) w
      ) stored
    ) needed group by 1 having sum(count) > 0`.execute(db)
  return new Map(rows.map(({ kid, count }) => [kid, count]))
}
