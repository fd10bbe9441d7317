import { sql } from 'kysely'
import { VOID_ALL_APPROVALS } from '../../approvals/approval.sql.ts'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { END_ALL_SESSIONS } from '../../members/session.sql.ts'
import { END_ALL_OPERATOR_SESSIONS } from '../../operators/session.sql.ts'

/**
 * Starts a new epoch after a backup was restored. Every QR value, code and token of an earlier epoch is
 * refused, since it may have been used after the backup was made.
 *
 * - `installation_row`: the new epoch.
 * - `ended`, `ended_operator`: the sessions of members and administrators, for the same reason.
 * - `voided`: what waits for a second person, who may have decided after the backup was made.
 * - `audit`: one row, in the same transaction.
 */
export async function raiseEpoch(
  db: Database,
  action: Pick<AdminAction, 'actor' | 'requestId'>,
): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`
    with installation_row as (
      update installation set epoch = epoch + 1 returning epoch
    ), ended as (${END_ALL_SESSIONS}), ended_operator as (${END_ALL_OPERATOR_SESSIONS}),
    voided as (${VOID_ALL_APPROVALS}), audit as (${insertAdminAudit({ ...action, kind: 'restore.completed', from: 'installation_row' })})
    select epoch from installation_row`.execute(db)
  return rows[0]!.epoch
}
