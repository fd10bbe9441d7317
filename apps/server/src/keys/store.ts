import { sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/store.ts'
import type { Database } from '../database/connect.ts'
import { SALTS_IN_USE } from '../webhooks/store.ts'

/**
 * How many stored values need each key, by its kid. HMACs, wrapped keys and salts begin with the kid of their
 * key.
 */
export async function countByKey(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ kid: string; count: number }>`
    select split_part(value, '.', 1) as kid, count(*) as count from (
      select mac as value from credential where revoked_at is null and clock_now() < expires_at
      union all select uniqid_mac from citizen where data_key is not null
      union all select mac from qr_code where used_at is null and clock_now() < expires_at
      union all select mac from exchange_code where redeemed_at is null and clock_now() < expires_at
      union all select mac from access_token where used_at is null and clock_now() < expires_at
      union all select data_key from citizen where data_key is not null
      union all select salt from (${SALTS_IN_USE}) w
    ) stored group by 1`.execute(db)
  return new Map(rows.map(({ kid, count }) => [kid, count]))
}

/**
 * Starts a new epoch after a backup was restored. Every QR value, code and token of an earlier epoch is
 * refused, since it may have been used after the backup was made.
 *
 * - `installation_row`: the new epoch.
 * - `audit`: one row, in the same transaction.
 */
export async function raiseEpoch(
  db: Database,
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`
    with installation_row as (
      update installation set epoch = epoch + 1 returning epoch
    ), audit as (${insertAdminAudit({ ...action, kind: 'restore.completed', from: 'installation_row' })})
    select epoch from installation_row`.execute(db)
  return rows[0]!.epoch
}
