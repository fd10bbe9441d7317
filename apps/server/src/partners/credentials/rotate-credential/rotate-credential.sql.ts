// The statements that apply changes of partners again after a restore. Each changes nothing if the change is
// in effect already.
import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../../audit/insert-audit.sql.ts'
import { utc } from '../../../database/clock.ts'
import { inTransaction } from '../../../database/in-transaction.ts'
import type { PartnerWriter } from '../../partner-cache.ts'
import type { CredentialKind } from '../credential.ts'

/** A rotation: the new secret, and when each older one ends. */
export type Rotation = {
  kind: CredentialKind
  successor: string
  replaced: { id: string; until: Date }[]
}

/**
 * Ends the secrets that a lost rotation has replaced. `undefined`: no such partner. `known`, `ended`: how
 * many of them the partner has, and how many are shortened now. `needs_secret`: the partner has no secret of
 * this kind since the rotation.
 *
 * - `input`: the replaced secrets, with their end.
 * - `found`: locks those that the partner has. An end of the audit has milliseconds, the stored one more.
 * - `ended`: those that would live longer.
 * - `rotation`, `audit`: one row if there are any, in the same transaction.
 */
export async function endReplacedSecrets(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  { kind, successor, replaced }: Rotation,
  at: Date,
  action: AdminAction,
): Promise<{ known: number; ended: number; needs_secret: boolean } | undefined> {
  const { rows } = await sql<{ known: number; ended: number; needs_secret: boolean }>`
    with input as (
      select * from unnest(${replaced.map(({ id }) => id)}::text[],
                           ${replaced.map(({ until }) => until)}::timestamptz[]) as i (credential_id, until)
    ), found as (
      select c.id, c.partner_id, i.until,
             c.revoked_at is null and i.until < date_trunc('milliseconds', c.expires_at) as is_longer
        from partner p join credential c on c.partner_id = p.id join input i using (credential_id)
       where p.partner_code = ${partnerCode} for update of c
    ), ended as (
      update credential c set expires_at = f.until from found f where c.id = f.id and f.is_longer
      returning c.id, c.partner_id, c.credential_id, c.expires_at
    ), rotation as (
      select partner_id, ${`${kind} ${successor} replaces `} || string_agg(
               credential_id || ' until ' || ${utc('expires_at')}, ', ' order by id desc) as detail
        from ended group by partner_id
    ), audit as (${insertAdminAudit({
      ...action,
      from: 'rotation',
      partner: 'partner_id',
      detailColumn: 'detail',
    })})
    select (select count(*) from found) as known, (select count(*) from ended) as ended,
           not exists (
             select from credential c
              where c.partner_id = p.id and c.kind = ${kind} and c.revoked_at is null
                and (c.credential_id = ${successor} or c.created_at > ${at})
           ) as needs_secret
      from partner p where p.partner_code = ${partnerCode}`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

export type NewCredential = {
  id: string
  kind: CredentialKind
  hmac: string
  createdAt: Date
  expiresAt: Date
  graceDays: number
}

/**
 * Inserts a new secret. At most two of a kind stay valid: the new one, and the previous one until its grace
 * period ends. False: no such partner.
 *
 * - `valid_credential`: the valid secrets of the kind, newest first.
 * - `shortened_credential`: the previous secret ends after the grace period at the latest, older ones end
 *   now.
 * - `rotation`: the new secret, and the older ones with their end, so that a restore cannot bring them back.
 * - `audit`: one row, in the same transaction.
 */
export async function insertSuccessor(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  credential: NewCredential,
  action: AdminAction,
): Promise<boolean> {
  const { id, kind, hmac, createdAt, expiresAt, graceDays } = credential
  const isInserted = await inTransaction(db, async (tx) => {
    // The lock is a statement of its own, so that the second of two rotations at once sees the secret that
    // the first inserted.
    const { rows } = await sql<{ id: number }>`
      select id from partner where partner_code = ${partnerCode} for no key update`.execute(tx)
    const partnerId = rows[0]?.id
    if (partnerId === undefined) return false
    await sql`
      with valid_credential as (
        select id, row_number() over (order by id desc) as nth from credential
         where partner_id = ${partnerId} and kind = ${kind}
           and revoked_at is null and clock_now() < expires_at
      ), shortened_credential as (
        update credential c
           set expires_at = least(
                 c.expires_at,
                 clock_now() + case when v.nth = 1 then make_interval(days => ${graceDays}) else '0' end
               )
          from valid_credential v where c.id = v.id returning c.*
      ), rotation as (
        select ${partnerId}::bigint as partner_id, ${`${kind} ${id} replaces `} || coalesce(string_agg(
                 credential_id || ' until ' || ${utc('expires_at')}, ', ' order by id desc), 'none') as detail
          from shortened_credential
      ), audit as (${insertAdminAudit({
        ...action,
        from: 'rotation',
        partner: 'partner_id',
        detailColumn: 'detail',
      })})
      insert into credential (partner_id, credential_id, kind, hmac, created_at, expires_at)
      values (${partnerId}, ${id}, ${kind}, ${hmac}, ${createdAt}, ${expiresAt})`.execute(tx)
    return true
  })
  partnerCache.invalidate()
  return isInserted
}
