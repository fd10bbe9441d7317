import { type RawBuilder, sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../audit/insert-audit.sql.ts'
import type { Database } from '../database/connect.ts'

/**
 * Inserts a webhook secret for each partner in the CTE `source` (a column `id`). The previous secret also
 * signs until `previousUntil`.
 */
export function insertWebhookSecrets(
  source: string,
  salt: string,
  previousUntil: Date | null,
): RawBuilder<unknown> {
  return sql`insert into webhook_secret (partner_id, salt, previous_until)
    select id, ${salt}, ${previousUntil}::timestamptz from ${sql.raw(source)} returning 1`
}

/**
 * Rotates a partner's webhook secret. False: no such partner. Of two rotations at once, one is the newer
 * secret and the other the previous one.
 *
 * - `p`: the partner.
 * - `ended`: the secrets before the current one. The current one becomes the previous one, and these sign nothing any more.
 * - `audit`: one row, in the same transaction.
 */
export async function rotateStoredWebhookSecret(
  db: Database,
  partnerCode: string,
  salt: string,
  previousUntil: Date | null,
  action: AdminAction,
): Promise<boolean> {
  const { rows } = await sql`
    with p as (
      select id from partner where partner_code = ${partnerCode}
    ), ended as (
      delete from webhook_secret w using p
       where w.partner_id = p.id and w.id < (select max(id) from webhook_secret where partner_id = p.id)
    ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    ${insertWebhookSecrets('p', salt, previousUntil)}`.execute(db)
  return rows.length === 1
}

/**
 * The audit's detail of a rotation that only ended a secret after a restore. The new one was never given out.
 */
export const REPLAYED = 'replayed'

/**
 * Whether a partner's webhook secret was rotated at or after a time, and whether by a request that gave the
 * partner a new one. `undefined`: no such partner.
 */
export async function findRotation(
  db: Database,
  partnerCode: string,
  at: Date,
): Promise<{ is_rotated: boolean; has_secret: boolean } | undefined> {
  const { rows } = await sql<{ is_rotated: boolean; has_secret: boolean }>`
    select count(e.id) > 0 as is_rotated,
           count(e.id) filter (where e.detail is distinct from ${REPLAYED}) > 0 as has_secret
      from partner p
      left join audit_event e on e.partner_id = p.id and e.kind = 'webhook_secret.rotated'
                             and e.occurred_at >= ${at}
     where p.partner_code = ${partnerCode} group by p.id`.execute(db)
  return rows[0]
}

/** Deletes all webhook secrets of the partners in the CTE `source` (a column `id`). */
export function deleteWebhookSecrets(source: string): RawBuilder<unknown> {
  return sql`delete from webhook_secret w using ${sql.raw(source)} s where w.partner_id = s.id`
}

/**
 * The salts of the secrets that sign the partners' events now: the newest, and in its grace period the
 * previous one.
 */
export const SALTS_IN_USE = sql`
             select partner_id, salt, nth from (
               select partner_id, salt, row_number() over newest as nth,
                      first_value(previous_until) over newest as previous_until
                 from webhook_secret window newest as (partition by partner_id order by id desc)
             ) w where nth = 1 or (nth = 2 and clock_now() < previous_until)`

/** The salts of the secrets that sign the partner's events now, the newest first. */
export async function findSaltsInUse(db: Database, partnerId: number): Promise<string[]> {
  const { rows } = await sql<{ salt: string }>`
    select salt from (${SALTS_IN_USE}) s where partner_id = ${partnerId} order by nth`.execute(db)
  return rows.map(({ salt }) => salt)
}
