// Rows for direct tests of store functions.
import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'

/** Columns and their values, as SQL. */
type Values = Record<string, string | number>
type Row = { id: number }

export const text = (value: string): string => `'${value}'`
export const NOW = 'clock_now()'
export const secondsFromNow = (seconds: number): string => `clock_now() + interval '${seconds} s'`

export async function read<Result extends object>(db: Database, statement: string): Promise<Result[]> {
  return (await sql.raw<Result>(statement).execute(db)).rows
}

async function insert<Result extends object>(db: Database, table: string, values: Values): Promise<Result> {
  const columns = Object.keys(values).join(', ')
  const row = Object.values(values).join(', ')
  return (await read<Result>(db, `insert into ${table} (${columns}) values (${row}) returning *`))[0]!
}

export type PartnerRow = Row & { partner_code: string; secret_code: string; access_version: number }
export const insertPartner = (db: Database, values: Values = {}): Promise<PartnerRow> =>
  insert(db, 'partner', {
    partner_code: text(randomUUID()),
    secret_code: text(randomUUID()),
    name: `'Name'`,
    purpose: `'Purpose'`,
    scopes: `'{PROFILE_INQUIRE,PROFILE_VIEW,SSO_AUTHENTICATION}'`,
    ip_allow_list: `'{}'`,
    limits: `'{}'`,
    ...values,
  })

export const insertCredential = (db: Database, partnerId: number, values: Values = {}): Promise<Row> =>
  insert(db, 'credential', {
    partner_id: partnerId,
    kind: `'secret_token'`,
    mac: text(randomUUID()),
    expires_at: `'infinity'`,
    ...values,
  })

export type CitizenRow = Row & { uniqid_mac: string }
export const insertCitizen = (db: Database, values: Values = {}): Promise<CitizenRow> =>
  insert(db, 'citizen', {
    uniqid_mac: text(randomUUID()),
    subject: text(randomUUID()),
    data_key: `'key'`,
    profile: `'profile'`,
    ...values,
  })

export async function insertParties(db: Database) {
  const [partner, otherPartner] = [await insertPartner(db), await insertPartner(db)]
  const [citizen, otherCitizen] = [await insertCitizen(db), await insertCitizen(db)]
  return { partner, otherPartner, citizen, otherCitizen }
}

export type RecordRow = Row & { tracking_no: string; partner_id: number; citizen_id: number }
/** By default, a pending record with a minute left. */
export const insertRecord = (
  db: Database,
  partner: Row,
  citizen: Row,
  values: Values = {},
): Promise<RecordRow> =>
  insert(db, 'authorization_record', {
    id: randomInt(2 ** 47),
    partner_id: partner.id,
    citizen_id: citizen.id,
    tracking_no: text(randomUUID()),
    scope: `'PROFILE_INQUIRE'`,
    state: `'PENDING'`,
    qr_value: `''`,
    requested_at: secondsFromNow(-60),
    expires_at: secondsFromNow(60),
    ...values,
  })

/** A pending record whose time is over now. */
export const ENDING = { expires_at: NOW }
export const ACCEPTED = {
  state: `'ACCEPTED'`,
  expires_at: secondsFromNow(-1),
  snapshot: `'copy'`,
  snapshot_until: secondsFromNow(1),
}

export const insertQr = (
  db: Database,
  citizen: Row,
  values: Values = {},
): Promise<Row & { mac: string; record_id: number; tracking_no: string }> =>
  insert(db, 'qr_code', {
    mac: text(randomUUID()),
    citizen_id: citizen.id,
    purpose: `'share'`,
    record_id: randomInt(2 ** 47),
    tracking_no: text(randomUUID()),
    expires_at: secondsFromNow(60),
    ...values,
  })

export const insertCode = (
  db: Database,
  partner: Row,
  citizen: Row,
  values: Values = {},
): Promise<Row & { mac: string }> =>
  insert(db, 'exchange_code', {
    mac: text(randomUUID()),
    partner_id: partner.id,
    citizen_id: citizen.id,
    scope: `'SSO_AUTHENTICATION'`,
    expires_at: secondsFromNow(60),
    ...values,
  })

/** The access token that this code gave. */
export const insertToken = (
  db: Database,
  code: Row,
  credential: Row,
  values: Values = {},
): Promise<Row & { mac: string }> =>
  insert(db, 'access_token', {
    mac: text(randomUUID()),
    exchange_code_id: code.id,
    partner_id: `(select partner_id from exchange_code where id = ${code.id})`,
    citizen_id: `(select citizen_id from exchange_code where id = ${code.id})`,
    credential_id: credential.id,
    scope: `'SSO_AUTHENTICATION'`,
    expires_at: secondsFromNow(60),
    ...values,
  })

let slot = 1_000_000
export const insertSandbox = (
  db: Database,
  partner: Row,
  values: Values = {},
): Promise<Row & { sandbox_id: string }> =>
  insert(db, 'sandbox', {
    sandbox_id: text(randomUUID()),
    slot: ++slot,
    partner_id: partner.id,
    address_hmac: `''`,
    expires_at: `now() + interval '1 hour'`,
    ...values,
  })
