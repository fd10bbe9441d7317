import { sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/store.ts'
import type { Database } from '../database/connect.ts'
import { SALTS_IN_USE } from '../webhooks/store.ts'

/** How many stored things need each key, by its kid. Keyed hashes, wrapped keys and salts begin with it. */
export async function countByKey(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ kid: string; count: number }>`
    select split_part(kept, '.', 1) as kid, count(*) as count from (
      select mac as kept from credential where revoked_at is null and clock_now() < expires_at
      union all select uniqid_mac from citizen where data_key is not null
      union all select mac from qr_code where used_at is null and clock_now() < expires_at
      union all select mac from exchange_code where redeemed_at is null and clock_now() < expires_at
      union all select mac from access_token where used_at is null and clock_now() < expires_at
      union all select data_key from citizen where data_key is not null
      union all select salt from (${SALTS_IN_USE}) w
    ) needed group by 1`.execute(db)
  return new Map(rows.map(({ kid, count }) => [kid, count]))
}

/** After a backup was restored: nothing that can be used once, and was made before, is good any more. */
export async function raiseEpoch(db: Database, action: Pick<AdminAction, 'actor' | 'requestId'>): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`
    with raised as (
      update installation set epoch = epoch + 1 returning epoch
    ), audited as (${insertAdminAudit({ ...action, kind: 'restore.completed', from: 'raised' })})
    select epoch from raised`.execute(db)
  return rows[0]!.epoch
}
