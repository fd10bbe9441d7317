// Adds and reads rows, for tests of single statements. What a test does not give has a value with which the
// statements work: the partner has every scope, and no lifetime ends within a minute.
import { randomInt, randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { EncryptedCitizen } from '../../src/citizens/citizen-encryption.ts'
import type { Database } from '../../src/database/connect.ts'

/** The values of columns. SQL is a value, too, such as `NOW`. */
export type Values = Record<string, unknown>
export type Row = { id: number }

export const NOW = sql`clock_now()`
export const secondsFromNow = (seconds: number): RawBuilder<unknown> =>
  sql`clock_now() + make_interval(secs => ${sql.lit(seconds)})`

export async function read<Result extends object>(db: Database, statement: string): Promise<Result[]> {
  return (await sql.raw<Result>(statement).execute(db)).rows
}

/** Returns the row. */
export async function add<Result>(db: Database, table: string, values: Values): Promise<Result> {
  const columns = sql.join(Object.keys(values).map((column) => sql.ref(column)))
  const { rows } = await sql<Result>`
    insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(values))})
    returning *`.execute(db)
  return rows[0]!
}

export type PartnerRow = Row & { partner_code: string; secret_code: string; access_version: number }
export const addPartner = (db: Database, values: Values = {}): Promise<PartnerRow> =>
  add(db, 'partner', {
    partner_code: randomUUID(),
    secret_code: randomUUID(),
    name: 'Name',
    purpose: 'Purpose',
    scopes: ['PROFILE_INQUIRE', 'PROFILE_VIEW', 'SSO_AUTHENTICATION'],
    ip_allow_list: [],
    limits: {},
    ...values,
  })

export const addCredential = (db: Database, partnerId: number, values: Values = {}): Promise<Row> =>
  add(db, 'credential', {
    partner_id: partnerId,
    kind: 'secret_token',
    hmac: randomUUID(),
    expires_at: 'infinity',
    ...values,
  })

export type CitizenRow = Row & EncryptedCitizen & { uniqid_hmac: string }
/** The citizen's data are not encrypted. */
export const addCitizen = (db: Database, values: Values = {}): Promise<CitizenRow> =>
  add(db, 'citizen', {
    uniqid_hmac: randomUUID(),
    subject: randomUUID(),
    data_key: 'data key',
    uniqid: 'uniqid',
    profile: 'profile',
    ...values,
  })

export async function addParties(db: Database) {
  const [partner, otherPartner] = [await addPartner(db), await addPartner(db)]
  const [citizen, otherCitizen] = [await addCitizen(db), await addCitizen(db)]
  return { partner, otherPartner, citizen, otherCitizen }
}

export type RecordRow = Row & { tracking_no: string; partner_id: number; citizen_id: number }
/** By default, a pending record with a minute left. */
export const addRecord = (
  db: Database,
  partner: Row,
  citizen: Row,
  values: Values = {},
): Promise<RecordRow> =>
  add(db, 'authorization_record', {
    id: randomInt(2 ** 47),
    partner_id: partner.id,
    citizen_id: citizen.id,
    tracking_no: randomUUID(),
    scope: 'PROFILE_INQUIRE',
    state: 'PENDING',
    qr_value: '',
    requested_at: secondsFromNow(-60),
    expires_at: secondsFromNow(60),
    ...values,
  })

/** A pending record whose time is over now. */
export const ENDING = { expires_at: NOW }
export const ACCEPTED = {
  state: 'ACCEPTED',
  expires_at: secondsFromNow(-1),
  snapshot: 'copy',
  snapshot_until: secondsFromNow(1),
}

export const addQr = (
  db: Database,
  citizen: Row,
  values: Values = {},
): Promise<Row & { hmac: string; record_id: number; tracking_no: string }> =>
  add(db, 'qr_code', {
    hmac: randomUUID(),
    citizen_id: citizen.id,
    purpose: 'share',
    record_id: randomInt(2 ** 47),
    tracking_no: randomUUID(),
    expires_at: secondsFromNow(60),
    ...values,
  })

export type CodeRow = Row & { hmac: string; partner_id: number; citizen_id: number }
export const addCode = (db: Database, partner: Row, citizen: Row, values: Values = {}): Promise<CodeRow> =>
  add(db, 'exchange_code', {
    hmac: randomUUID(),
    partner_id: partner.id,
    citizen_id: citizen.id,
    scope: 'SSO_AUTHENTICATION',
    expires_at: secondsFromNow(60),
    ...values,
  })

/** The access token that this code gave. */
export const addToken = (
  db: Database,
  code: CodeRow,
  credential: Row,
  values: Values = {},
): Promise<Row & { hmac: string }> =>
  add(db, 'access_token', {
    hmac: randomUUID(),
    exchange_code_id: code.id,
    partner_id: code.partner_id,
    citizen_id: code.citizen_id,
    credential_id: credential.id,
    scope: 'SSO_AUTHENTICATION',
    expires_at: secondsFromNow(60),
    ...values,
  })

/** Makes the partner that of a sandbox. */
export const addSandbox = (
  db: Database,
  partner: Row,
  values: Values = {},
): Promise<Row & { sandbox_id: string; inbox_key: string }> =>
  add(db, 'sandbox', {
    sandbox_id: randomUUID(),
    inbox_key: randomUUID(),
    partner_id: partner.id,
    address_hmac: '',
    expires_at: sql`now() + interval '1 hour'`,
    ...values,
  })
