import { sql } from 'kysely'
import type { Ageing } from '../../database/private-sandbox.ts'
import type { PartnerWriter } from '../partner-cache.ts'

/** Moves the times of a partner's secrets into the past. */
export async function ageCredentials(
  { db, partnerCache }: PartnerWriter,
  { partnerId, seconds }: Ageing,
): Promise<void> {
  const age = sql`make_interval(secs => ${seconds})`
  await sql`
    update credential
       set created_at = created_at - ${age}, expires_at = expires_at - ${age},
           revoked_at = revoked_at - ${age}, reminded_at = reminded_at - ${age}
     where partner_id = ${partnerId}`.execute(db)
  partnerCache.invalidate()
}

/**
 * Deletes the secrets and the usage of a partner and forgets its callback URL. The partner itself stays,
 * since the audit names it.
 *
 * - `credential_row`: all its secrets.
 * - `usage`: the used parts of its daily quotas.
 */
export async function deleteAccessOf({ db, partnerCache }: PartnerWriter, partnerId: number): Promise<void> {
  await sql`
    with credential_row as (
      delete from credential where partner_id = ${partnerId}
    ), usage as (
      delete from partner_usage where partner_id = ${partnerId}
    )
    update partner set callback_url = null where id = ${partnerId}`.execute(db)
  partnerCache.invalidate()
}
