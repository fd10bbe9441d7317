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

type NewPartner = Pick<PartnerRow, 'partner_code' | 'name' | 'purpose' | 'scopes' | 'callback_url' | 'sso_url'> & { secret_code: string }

/** Writes a partner and its secrets in one statement. `undefined`: the partner code is taken. */
export async function insertPartner(
  db: Database,
  partner: NewPartner,
  macs: CredentialMac[],
  ttlDays: number,
): Promise<(PartnerRow & { expires_at: Date }) | undefined> {
  const { rows } = await sql<PartnerRow & { expires_at: Date }>`
    with p as (
      insert into partner (partner_code, secret_code, name, purpose, scopes, callback_url, sso_url)
      values (${partner.partner_code}, ${partner.secret_code}, ${partner.name}, ${partner.purpose}, ${partner.scopes}, ${partner.callback_url}, ${partner.sso_url})
      on conflict (partner_code) do nothing returning *
    ), c as (
      insert into credential (partner_id, kind, mac, expires_at)
      select p.id, given.kind, given.mac, clock_now() + make_interval(days => ${ttlDays})
        from p, unnest(${macs.map(({ kind }) => kind)}::text[], ${macs.map(({ mac }) => mac)}::text[]) as given (kind, mac)
      returning expires_at
    )
    select ${COLUMNS}, (select max(expires_at) from c) as expires_at from p`.execute(db)
  return rows[0]
}

/** Writes a partner anew, keeping its identity: the sandbox's own at every start. */
export async function replacePartner(db: Database, partner: NewPartner, macs: CredentialMac[], ttlDays: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${partner.partner_code}))`.execute(tx)
    if (await insertPartner(tx, partner, macs, ttlDays)) return
    await sql`
      with p as (
        update partner set secret_code = ${partner.secret_code}, name = ${partner.name}, purpose = ${partner.purpose}, scopes = ${partner.scopes},
               callback_url = ${partner.callback_url}, sso_url = ${partner.sso_url}
         where partner_code = ${partner.partner_code} returning id
      ), gone as (
        delete from credential c using p where c.partner_id = p.id
      )
      insert into credential (partner_id, kind, mac, expires_at)
      select p.id, given.kind, given.mac, clock_now() + make_interval(days => ${ttlDays})
        from p, unnest(${macs.map(({ kind }) => kind)}::text[], ${macs.map(({ mac }) => mac)}::text[]) as given (kind, mac)`.execute(tx)
  })
}

export async function setPartnerStatus(db: Database, partnerCode: string, status: PartnerRow['status']): Promise<PartnerRow | undefined> {
  const { rows } =
    await sql<PartnerRow>`update partner p set status = ${status} where partner_code = ${partnerCode} returning ${COLUMNS}`.execute(db)
  return rows[0]
}
