import type { Schemas } from '@tiwala/contract'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

export type CredentialKind = 'secret_token' | 'partner_secret'

export type PartnerRow = Omit<Schemas['Partner'], 'created_at'> & { id: number; created_at: Date }

export type CredentialMac = { kind: CredentialKind; mac: string }

/** A partner and the hashes of its valid secrets of one kind. */
type PartnerWithMacs = PartnerRow & { macs: string[] }

const COLUMNS = sql.raw('p.id, p.partner_code, p.name, p.purpose, p.scopes, p.status, p.callback_url, p.sso_url, p.created_at')

export function findPartnerBySecretCode(db: Database, secretCode: string): Promise<PartnerWithMacs | undefined> {
  return findWithMacs(db, 'secret_code', secretCode, 'secret_token')
}

export function findPartnerByPartnerCode(db: Database, partnerCode: string): Promise<PartnerWithMacs | undefined> {
  return findWithMacs(db, 'partner_code', partnerCode, 'partner_secret')
}

async function findWithMacs(db: Database, column: 'secret_code' | 'partner_code', value: string, kind: CredentialKind) {
  const { rows } = await sql<PartnerWithMacs>`
    select ${COLUMNS}, array(
        select mac from credential c
         where c.partner_id = p.id and c.kind = ${kind} and c.revoked_at is null and clock_now() < c.expires_at
         order by c.id desc limit 2) as macs
      from partner p where ${sql.ref(`p.${column}`)} = ${value}`.execute(db)
  return rows[0]
}

export type NewPartner = Omit<PartnerRow, 'id' | 'status'> & { secret_code: string }
export type NewCredentials = { macs: CredentialMac[]; expiresAt: Date }

/** Writes a partner and its secrets in one statement. False: the partner code is taken. */
export async function insertPartner(db: Database, partner: NewPartner, credentials: NewCredentials): Promise<boolean> {
  const { partner_code, secret_code, name, purpose, scopes, callback_url, sso_url, created_at } = partner
  const { rows } = await sql`
    with p as (
      insert into partner (partner_code, secret_code, name, purpose, scopes, callback_url, sso_url, created_at)
      values (${partner_code}, ${secret_code}, ${name}, ${purpose}, ${scopes}, ${callback_url}, ${sso_url}, ${created_at})
      on conflict (partner_code) do nothing returning id
    )
    ${insertCredentials(credentials)}`.execute(db)
  return rows.length > 0
}

/** Writes a partner anew, keeping its identity: the sandbox's own at every start. */
export async function replacePartner(db: Database, partner: NewPartner, credentials: NewCredentials): Promise<void> {
  if (await insertPartner(db, partner, credentials)) return
  const { partner_code, secret_code, name, purpose, scopes, callback_url, sso_url } = partner
  await sql`
    with p as (
      update partner set secret_code = ${secret_code}, name = ${name}, purpose = ${purpose}, scopes = ${scopes},
             callback_url = ${callback_url}, sso_url = ${sso_url}
       where partner_code = ${partner_code} returning id
    ), gone as (
      delete from credential c using p where c.partner_id = p.id
    )
    ${insertCredentials(credentials)}`.execute(db)
}

/** One row for each secret of the partner `p`. */
const insertCredentials = ({ macs, expiresAt }: NewCredentials) => sql`
    insert into credential (partner_id, kind, mac, expires_at)
    select p.id, given.kind, given.mac, ${expiresAt}::timestamptz
      from p, unnest(${macs.map(({ kind }) => kind)}::text[], ${macs.map(({ mac }) => mac)}::text[]) as given (kind, mac)
    returning id`

export async function setPartnerStatus(db: Database, partnerCode: string, status: PartnerRow['status']): Promise<PartnerRow | undefined> {
  const { rows } =
    await sql<PartnerRow>`update partner p set status = ${status} where partner_code = ${partnerCode} returning ${COLUMNS}`.execute(db)
  return rows[0]
}
