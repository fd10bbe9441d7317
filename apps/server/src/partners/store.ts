import type { Schemas } from '@tiwala/contract'
import { type RawBuilder, sql } from 'kysely'
import { insertAdminAudit, type AdminAction } from '../audit/store.ts'
import { NOW } from '../database/clock.ts'
import type { Database } from '../database/connect.ts'
import { deleteWebhookSecrets, insertWebhookSecrets, resetEndpoints } from '../webhooks/store.ts'
import { type CredentialHmac, insertCredentials, isFirstSecret } from './credentials/store.ts'
import type { PartnerWriter } from './partner-cache.ts'
import type { Access, PartnerRow } from './partner.ts'

type Value = RawBuilder<unknown> | number | string

/**
 * The condition that the access of a partner `p` by its credential `k` is current: the partner is active, has
 * the scope and has not changed since it was authenticated, and the credential is neither revoked nor
 * expired.
 */
export const isAccessCurrent = (accessVersion: Value, scope: Value, now = NOW): RawBuilder<boolean> =>
  sql<boolean>`(p.status = 'ACTIVE' and ${scope} = any(p.scopes) and p.access_version = ${accessVersion}
       and k.revoked_at is null and ${now} < k.expires_at)`

/** The same condition as a subquery, for statements without a partner `p` and a credential `k`. */
export const hasCurrentAccess = (access: Record<keyof Access, Value>, scope: Value): RawBuilder<boolean> =>
  sql<boolean>`exists (
      select from partner p join credential k on k.partner_id = p.id
       where p.id = ${access.partnerId} and k.id = ${access.credentialId}
         and ${isAccessCurrent(access.accessVersion, scope)})`

/** The columns of `PartnerRow`, of a partner `p`. */
export const COLUMNS = sql.raw(
  `p.id, p.partner_code, p.name, p.purpose, p.scopes, p.status, p.callback_url, p.sso_url,
  p.ip_allow_list, p.limits, p.created_at`,
)

export type NewPartner = Omit<PartnerRow, 'id' | 'status'> & { secret_code: string }
export type NewCredentials = { hmacs: CredentialHmac[]; expiresAt: Date; webhookSalt: string }

/**
 * Inserts a partner and its secrets. False: the partner code is taken. Without `action`, the service itself
 * creates the partner.
 *
 * - `p`: the new partner; none if the code is taken.
 * - `webhook_secret_row`: its webhook secret.
 * - `audit`: one row for the action of an administrator, in the same transaction.
 */
export async function insertPartner(
  db: Database,
  partner: NewPartner,
  credentials: NewCredentials,
  action?: AdminAction,
): Promise<boolean> {
  const {
    partner_code,
    secret_code,
    name,
    purpose,
    scopes,
    callback_url,
    sso_url,
    ip_allow_list,
    limits,
    created_at,
  } = partner
  const { rows } = await sql`
    with p as (
      insert into partner (partner_code, secret_code, name, purpose, scopes, callback_url, sso_url,
                           ip_allow_list, limits, created_at)
      values (${partner_code}, ${secret_code}, ${name}, ${purpose}, ${scopes}, ${callback_url}, ${sso_url},
              ${ip_allow_list}, ${JSON.stringify(limits)}, ${created_at})
      on conflict (partner_code) do nothing returning id
    ), webhook_secret_row as (${insertWebhookSecrets('p', credentials.webhookSalt, null)}
    ), audit as (${action ? insertAdminAudit({ ...action, from: 'p', partner: 'p.id' }) : sql`select`})
    ${insertCredentials('p', credentials.hmacs, credentials.expiresAt)}`.execute(db)
  return rows.length > 0
}

/**
 * Restores a partner to its initial state, as the sandbox does at every start. Unchanged secrets stay, and
 * with them their access tokens.
 *
 * - `p`: the restored partner.
 * - `deleted_credential`: secrets that differ from the first ones.
 * - `deleted_webhook_secret`: all webhook secrets.
 * - `webhook_secret_row`: the first webhook secret.
 * - `endpoint`: forgets failures of the callback URL.
 */
export async function replacePartner(
  db: Database,
  partner: NewPartner,
  credentials: NewCredentials,
): Promise<void> {
  if (await insertPartner(db, partner, credentials)) return
  const { partner_code, secret_code, name, purpose, scopes, callback_url, sso_url, ip_allow_list, limits } =
    partner
  await sql`
    with p as (
      update partner
         set secret_code = ${secret_code}, name = ${name}, purpose = ${purpose}, scopes = ${scopes},
             callback_url = ${callback_url}, sso_url = ${sso_url}, ip_allow_list = ${ip_allow_list},
             limits = ${JSON.stringify(limits)}, status = 'ACTIVE'
       where partner_code = ${partner_code} returning id
    ), deleted_credential as (
      delete from credential c using p
       where c.partner_id = p.id and not ${isFirstSecret(credentials.hmacs, credentials.expiresAt)}
    ), deleted_webhook_secret as (${deleteWebhookSecrets('p')}
    ), webhook_secret_row as (${insertWebhookSecrets('p', credentials.webhookSalt, null)}
    ), endpoint as (${resetEndpoints('p')})
    ${insertCredentials('p', credentials.hmacs, credentials.expiresAt)}`.execute(db)
}

/**
 * Suspends or resumes a partner. `undefined`: no such partner.
 *
 * - `p`: the changed partner.
 * - `audit`: one row, in the same transaction.
 */
export async function setPartnerStatus(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  status: PartnerRow['status'],
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p set status = ${status} where partner_code = ${partnerCode} returning ${COLUMNS}
    ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

/**
 * Sets the callback URL. `undefined`: no such partner.
 *
 * - `p`: the changed partner.
 * - `endpoint`: forgets failures of the previous URL.
 * - `audit`: one row, in the same transaction.
 */
export async function setCallbackUrl(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  callbackUrl: string | null,
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p set callback_url = ${callbackUrl}
       where partner_code = ${partnerCode} returning ${COLUMNS}
    ), endpoint as (${resetEndpoints('p')}
    ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

export async function findPartner(db: Database, partnerCode: string): Promise<PartnerRow | undefined> {
  const { rows } =
    await sql<PartnerRow>`select ${COLUMNS} from partner p where partner_code = ${partnerCode}`.execute(db)
  return rows[0]
}

type Filter = {
  status: PartnerRow['status'] | undefined
  text: string | undefined
  after: string | undefined
  limit: number
}

/** Ordered by partner code. */
export async function findPartners(
  db: Database,
  { status, text, after, limit }: Filter,
): Promise<PartnerRow[]> {
  const { rows } = await sql<PartnerRow>`
    select ${COLUMNS} from partner p
     where (${status ?? null}::text is null or p.status = ${status ?? null})
       and (${text ?? null}::text is null or strpos(lower(p.partner_code), lower(${text ?? null})) > 0
            or strpos(lower(p.name), lower(${text ?? null})) > 0)
       and (${after ?? null}::text is null or p.partner_code > ${after ?? null})
     order by p.partner_code limit ${limit}`.execute(db)
  return rows
}

/**
 * Changes the given fields and keeps the others. `undefined`: no such partner.
 *
 * - `p`: the changed partner.
 * - `audit`: one row, in the same transaction.
 */
export async function updatePartner(
  { db, partnerCache }: PartnerWriter,
  partnerCode: string,
  { name, purpose, scopes, sso_url, ip_allow_list, limits }: Schemas['PartnerChange'],
  action: AdminAction,
): Promise<PartnerRow | undefined> {
  const { rows } = await sql<PartnerRow>`
    with p as (
      update partner p
         set name = coalesce(${name ?? null}, name), purpose = coalesce(${purpose ?? null}, purpose),
             scopes = coalesce(${scopes ?? null}::text[], scopes),
             sso_url = case when ${sso_url !== undefined}::boolean then ${sso_url ?? null} else sso_url end,
             ip_allow_list = coalesce(${ip_allow_list ?? null}::text[], ip_allow_list),
             limits = limits || ${JSON.stringify(limits ?? {})}::jsonb
       where partner_code = ${partnerCode} returning ${COLUMNS}
    ), audit as (${insertAdminAudit({ ...action, from: 'p', partner: 'p.id' })})
    select * from p`.execute(db)
  partnerCache.invalidate()
  return rows[0]
}

/** The URLs that receive events of active partners, in no order. */
export async function listCallbackUrls(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct callback_url as url from partner
     where callback_url is not null and status = 'ACTIVE' limit ${limit}`.execute(db)
  return rows.map(({ url }) => url)
}
