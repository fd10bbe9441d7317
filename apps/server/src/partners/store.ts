import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/store.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { resetEndpoints, deleteWebhookSecrets } from '../webhooks/operator/store.ts'
import { webhookSecretFrom } from '../webhooks/store.ts'
import { type CredentialHmac, credentialsFrom, isFirstSecret } from './credentials/store.ts'
import type { PartnerWriter } from './partner-cache.ts'
import type { Access, PartnerRow } from './partner.ts'

type Value = RawBuilder<unknown> | number | string

/** The condition that a partner `p` and its credential `k` still allow what the caller was authenticated for. */
export const isAccessCurrent = (accessVersion: Value, scope: Value, now = NOW): RawBuilder<boolean> => sql<boolean>`(p.status = 'ACTIVE'
       and ${scope} = any(p.scopes) and p.access_version = ${accessVersion} and k.revoked_at is null and ${now} < k.expires_at)`

/** The same condition, where the query has no partner `p` and no credential `k`. */
export const hasCurrentAccess = (access: Record<keyof Access, Value>, scope: Value): RawBuilder<boolean> => sql<boolean>`exists (
      select from partner p join credential k on k.partner_id = p.id
       where p.id = ${access.partnerId} and k.id = ${access.credentialId} and ${isAccessCurrent(access.accessVersion, scope)})`

/** Of a partner `p`. */
export const COLUMNS = sql.raw(
  'p.id, p.partner_code, p.name, p.purpose, p.scopes, p.status, p.callback_url, p.sso_url, p.ip_allow_list, p.limits, p.created_at',
)

export type NewPartner = Omit<PartnerRow, 'id' | 'status'> & { secret_code: string }
export type NewCredentials = { hmacs: CredentialHmac[]; expiresAt: Date; webhookSalt: string }

/** Writes a partner and its secrets in one statement. False: the partner code is taken. No action: nobody asked for it. */
export async function insertPartner(
  db: Database,
  partner: NewPartner,
  credentials: NewCredentials,
  action?: AdminAction,
): Promise<boolean> {
  const { partner_code, secret_code, name, purpose, scopes, callback_url, sso_url, ip_allow_list, limits, created_at } = partner
  const { rows } = await sql`
    with p as (
      insert into partner (partner_code, secret_code, name, purpose, scopes, callback_url, sso_url, ip_allow_list, limits, created_at)
      values (${partner_code}, ${secret_code}, ${name}, ${purpose}, ${scopes}, ${callback_url}, ${sso_url}, ${ip_allow_list},
              ${JSON.stringify(limits)}, ${created_at})
      on conflict (partner_code) do nothing returning id
    ), secret as (${webhookSecretFrom('p', credentials.webhookSalt, null)}
    ), noted as (${action ? insertAdminAudit({ ...action, from: 'p', partner: 'p.id' }) : sql`select`})
    ${credentialsFrom('p', credentials.hmacs, credentials.expiresAt)}`.execute(db)
  return rows.length > 0
}

/** Restores a partner, as the sandbox does at every start. Secrets that are as they were stay, and with them their access tokens. */
export async function replacePartner(db: Database, partner: NewPartner, credentials: NewCredentials): Promise<void> {
  if (await insertPartner(db, partner, credentials)) return
  const { partner_code, secret_code, name, purpose, scopes, callback_url, sso_url, ip_allow_list, limits } = partner
  await sql`
    with p as (
      update partner set secret_code = ${secret_code}, name = ${name}, purpose = ${purpose}, scopes = ${scopes},
             callback_url = ${callback_url}, sso_url = ${sso_url}, ip_allow_list = ${ip_allow_list}, limits = ${JSON.stringify(limits)}
       where partner_code = ${partner_code} returning id
    ), gone as (
      delete from credential c using p where c.partner_id = p.id and not ${isFirstSecret(credentials.hmacs, credentials.expiresAt)}
    ), gone_secret as (${deleteWebhookSecrets('p')}
    ), secret as (${webhookSecretFrom('p', credentials.webhookSalt, null)}
    ), endpoint as (${resetEndpoints('p')})
    ${credentialsFrom('p', credentials.hmacs, credentials.expiresAt)}`.execute(db)
}

export async function setPartnerStatus(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  status: PartnerRow['status'],
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p set status = ${status} where partner_code = ${partnerCode} returning ${COLUMNS}
    ), noted as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

/** Where events go from now on. `undefined`: no such partner. */
export async function setCallbackUrl(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  callbackUrl: string | null,
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p set callback_url = ${callbackUrl} where partner_code = ${partnerCode} returning ${COLUMNS}
    ), endpoint as (${resetEndpoints('p')}
    ), noted as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

export async function findPartner(db: Database, partnerCode: string): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`select ${COLUMNS} from partner p where partner_code = ${partnerCode}`.execute(db)
  return rows[0]
}

type Wanted = { status: PartnerRow['status'] | undefined; text: string | undefined; after: string | undefined; limit: number }

/** By their code. */
export async function findPartners(db: Database, { status, text, after, limit }: Wanted): Promise<PartnerRow[]> {
  const { rows } = await sql<PartnerRow>`
    select ${COLUMNS} from partner p
     where (${status ?? null}::text is null or p.status = ${status ?? null})
       and (${text ?? null}::text is null or strpos(lower(p.partner_code), lower(${text ?? null})) > 0 or strpos(lower(p.name), lower(${text ?? null})) > 0)
       and (${after ?? null}::text is null or p.partner_code > ${after ?? null})
     order by p.partner_code limit ${limit}`.execute(db)
  return rows
}

/** What is absent stays. `undefined`: no such partner. */
export async function updatePartner(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  { name, purpose, scopes, sso_url, ip_allow_list, limits }: Schemas['PartnerChange'],
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p
         set name = coalesce(${name ?? null}, name), purpose = coalesce(${purpose ?? null}, purpose), scopes = coalesce(${scopes ?? null}::text[], scopes),
             sso_url = case when ${sso_url !== undefined}::boolean then ${sso_url ?? null} else sso_url end,
             ip_allow_list = coalesce(${ip_allow_list ?? null}::text[], ip_allow_list), limits = limits || ${JSON.stringify(limits ?? {})}::jsonb
       where partner_code = ${partnerCode} returning ${COLUMNS}
    ), noted as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}
