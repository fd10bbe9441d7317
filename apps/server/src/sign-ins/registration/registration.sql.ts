import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import { batched, type BatchRow } from '../../database/batch.ts'
import type { Database } from '../../database/connect.ts'

export type Registration = Schemas['SignInRegistration']

export type RegistrationRow = Registration & {
  partner_code: string
  status: 'ACTIVE' | 'SUSPENDED'
  scopes: string[]
  ip_allow_list: string[]
  limits: Schemas['PartnerLimits']
  is_slowed: boolean
  allows_loopback: boolean
}

/** `undefined`: no such partner, or it has no registration. */
export const findRegistration = batched(async (db, partnerCodes: string[]) => {
  const { rows } = await sql<RegistrationRow>`
    select p.partner_code, p.status, p.scopes, p.ip_allow_list, p.limits, p.is_slowed, s.allows_loopback, s.redirect_uris, s.post_logout_redirect_uris,
           s.profile, s.id_token_alg as id_token_signed_response_alg, s.keys, s.jwks_url,
           (select json_agg(json_build_object('name', g.name, 'text', g.text, 'items', g.items,
                                              'optional_items', g.optional_items, 'minimum_acr', g.minimum_acr)
                            order by g.position)
              from sign_in_purpose g where g.partner_id = p.id) as purposes
      from partner p join partner_sign_in s on s.partner_id = p.id where p.partner_code = any(${[...new Set(partnerCodes)]})`.execute(
    db,
  )
  return partnerCodes.flatMap((partnerCode, index): (RegistrationRow & BatchRow)[] =>
    rows
      .filter(({ partner_code }) => partner_code === partnerCode)
      .map((row) => ({ ...row, input_no: index + 1 })),
  )
})

/**
 * Replaces the registration of a partner. False: no such partner. Without `action`, the service itself sets it.
 *
 * - `p`: the partner, locked, so that parallel changes follow each other.
 * - `registration`, `purpose`: the new rows. `removed`: the purposes that are no longer granted.
 * - `audit`: one row for the action of an administrator, in the same transaction.
 */
export async function putRegistration(
  db: Database,
  partnerCode: string,
  registration: Registration & { allows_loopback?: boolean },
  action?: AdminAction,
): Promise<boolean> {
  const { redirect_uris, post_logout_redirect_uris, profile, keys, jwks_url, purposes } = registration
  const alg = registration.id_token_signed_response_alg
  const { rows } = await sql`
    with p as (
      select id from partner where partner_code = ${partnerCode} for no key update
    ), registration as (
      insert into partner_sign_in (partner_id, redirect_uris, post_logout_redirect_uris, allows_loopback, profile,
                                   id_token_alg, keys, jwks_url)
      select id, ${redirect_uris}, ${post_logout_redirect_uris}, ${registration.allows_loopback ?? false}, ${profile},
             ${alg}, ${JSON.stringify(keys)}::jsonb, ${jwks_url} from p
      on conflict (partner_id) do update
         set redirect_uris = excluded.redirect_uris,
             post_logout_redirect_uris = excluded.post_logout_redirect_uris, profile = excluded.profile,
             id_token_alg = excluded.id_token_alg, keys = excluded.keys, jwks_url = excluded.jwks_url
      returning partner_id
    ), given as (
      select p.id as partner_id, g.* from p cross join jsonb_to_recordset(${JSON.stringify(
        purposes.map((purpose, position) => ({ ...purpose, position })),
      )}::jsonb) as g (name text, position int, text text, items text[], optional_items text[], minimum_acr text)
    ), purpose as (
      insert into sign_in_purpose (partner_id, name, position, text, items, optional_items, minimum_acr)
      select partner_id, name, position, text, items, optional_items, minimum_acr from given
      on conflict (partner_id, name) do update
         set position = excluded.position, text = excluded.text, items = excluded.items,
             optional_items = excluded.optional_items, minimum_acr = excluded.minimum_acr
    ), removed as (
      delete from sign_in_purpose g using p
       where g.partner_id = p.id and g.name not in (select name from given)
    ), audit as (${action ? insertAdminAudit({ ...action, from: 'p', partner: 'p.id' }) : sql`select`})
    select from registration`.execute(db)
  return rows.length > 0
}
