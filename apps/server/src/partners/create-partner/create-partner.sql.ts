import { sql } from 'kysely'
import { type AdminAction, insertAdminAudit } from '../../audit/insert-audit.sql.ts'
import type { Database } from '../../database/connect.ts'
import { resetEndpoints } from '../../webhooks/reset-endpoints.sql.ts'
import { deleteWebhookSecrets, insertWebhookSecrets } from '../../webhooks/webhook-secret.sql.ts'
import { insertCredentials, isFirstSecret } from '../credentials/credential.sql.ts'
import type { CredentialHmac } from '../credentials/credential.ts'
import type { PartnerRow } from '../partner.ts'

export type NewPartner = Omit<PartnerRow, 'id' | 'status' | 'going_live' | 'is_slowed'> & {
  secret_code: string
}

/** A partner is suspended until its report for going live is accepted. */
type Start = Pick<PartnerRow, 'status' | 'going_live'>
export const ACTIVE: Start = { status: 'ACTIVE', going_live: null }
export const WAITING: Start = {
  status: 'SUSPENDED',
  going_live: {
    status: 'WAITING',
    report_id: null,
    written_at: null,
    decided_at: null,
    decided_by: null,
    reason: null,
  },
}

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
  { status, going_live } = ACTIVE,
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
                           ip_allow_list, limits, created_at, status, going_live)
      values (${partner_code}, ${secret_code}, ${name}, ${purpose}, ${scopes}, ${callback_url}, ${sso_url},
              ${ip_allow_list}, ${JSON.stringify(limits)}, ${created_at}, ${status},
              ${going_live && JSON.stringify(going_live)})
      on conflict (partner_code) do nothing returning id
    ), webhook_secret_row as (${insertWebhookSecrets('p', credentials.webhookSalt, null)}
    ), audit as (${action ? insertAdminAudit({ ...action, from: 'p', partner: 'p.id' }) : sql`select`})
    ${insertCredentials('p', credentials.hmacs, credentials.expiresAt)}`.execute(db)
  return rows.length > 0
}

/**
 * Restores a partner to its initial state. Unchanged secrets stay, and
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
             limits = ${JSON.stringify(limits)}, status = 'ACTIVE', going_live = null
       where partner_code = ${partner_code} returning id
    ), deleted_credential as (
      delete from credential c using p
       where c.partner_id = p.id and not ${isFirstSecret(credentials.hmacs, credentials.expiresAt)}
    ), deleted_webhook_secret as (${deleteWebhookSecrets('p')}
    ), webhook_secret_row as (${insertWebhookSecrets('p', credentials.webhookSalt, null)}
    ), endpoint as (${resetEndpoints('p')})
    ${insertCredentials('p', credentials.hmacs, credentials.expiresAt)}`.execute(db)
}
