// The statements that apply changes of partners again after a restore. Each changes nothing if the change is
// in effect already.
import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/store.ts'
import { utc } from '../../database/clock.ts'
import type { CredentialKind } from '../credentials/store.ts'
import type { PartnerWriter } from '../partner-cache.ts'
import type { PartnerRow } from '../partner.ts'

/**
 * Suspends or resumes a partner again. `undefined`: no such partner.
 *
 * - `found`: the partner. `is_changed_since`: it was suspended or resumed after `at`.
 * - `p`: the partner, if it has the other status and was not changed since.
 * - `audit`: one row if it is changed now, in the same transaction.
 */
export async function setPartnerStatusAgain(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  status: PartnerRow['status'],
  at: Date,
  action: AdminAction,
): Promise<{ is_in_effect: boolean; is_changed_since: boolean } | undefined> {
  const found = await db.transaction().execute(async (tx) => {
    // The lock is a statement of its own, so that the next one sees the audit of the change it waited for.
    await sql`select from partner where partner_code = ${partnerCode} for no key update`.execute(tx)
    const { rows } = await sql<{ is_in_effect: boolean; is_changed_since: boolean }>`
      with found as (
        select p.id, p.status = ${status} as is_in_effect, exists (
                 select from audit_event e
                  where e.partner_id = p.id and e.kind in ('partner.suspended', 'partner.resumed')
                    and e.occurred_at > ${at}
               ) as is_changed_since
          from partner p where p.partner_code = ${partnerCode}
      ), p as (
        update partner p set status = ${status} from found f
         where p.id = f.id and not f.is_in_effect and not f.is_changed_since returning p.id
      ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
      select is_in_effect, is_changed_since from found`.execute(tx)
    return rows[0]
  })
  partnerCache.invalidate()
  return found
}

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
