// Cells: several PostgreSQL clusters, each with a share of the citizens (SCALING.md). Here, two of them are the partitions of each table
// that has rows of citizens, and a session sees those of its cell. Each hot statement does its whole work there. PostgreSQL itself says
// which tables it opens (`auto_explain`), also in functions and for foreign keys.
import { randomUUID } from 'node:crypto'
import { PostgresDialect, Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerPending, findPendingProfile } from '../../src/authorizations/answer/answer.sql.ts'
import { cancelPending } from '../../src/authorizations/cancel-authorization/cancel-authorization.sql.ts'
import { writeDisclosure } from '../../src/authorizations/disclosure-commit.sql.ts'
import { inquireRecord } from '../../src/authorizations/inquire/inquire.sql.ts'
import { insertQrCode } from '../../src/authorizations/issue-qr-code/issue-qr-code.sql.ts'
import { listConsents } from '../../src/authorizations/list-authorizations/list-authorizations.sql.ts'
import {
  createViewedRecord,
  findShareable,
} from '../../src/authorizations/profile-by-qr/profile-by-qr.sql.ts'
import { findRecordOfRetry } from '../../src/authorizations/qr-presentation.sql.ts'
import { createPendingRecord } from '../../src/authorizations/request-authorization/request-authorization.sql.ts'
import { revokeConsent } from '../../src/authorizations/revoke-authorization/revoke-authorization.sql.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, INT8, parseInt8, requestSettings } from '../../src/database/connect.ts'
import { listDisclosuresOf } from '../../src/disclosures/disclosure.sql.ts'
import { mintRecordId, mintTrackingNo } from '../../src/secrets/tokens.ts'
import { consumeToken, findToken } from '../../src/sso/authenticate/authenticate.sql.ts'
import { redeemExchangeCode } from '../../src/sso/generate-token/generate-token.sql.ts'
import { insertExchangeCode } from '../../src/sso/issue-exchange-code/issue-exchange-code.sql.ts'
import { onServer } from '../../src/testing/database.ts'
import {
  ACCEPTED,
  addCitizen,
  addCode,
  addCredential,
  addPartner,
  addQr,
  addRecord,
  addToken,
  read,
} from '../kit/rows.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

/** The rows of a citizen. */
const OF_CELL = [
  'citizen',
  'qr_code',
  'authorization_record',
  'exchange_code',
  'access_token',
  'audit_event',
  'callback_event',
  'dispute',
]
/** Each cell needs a copy. A hot statement only reads them. */
const COPIED = new Set(['clock', 'installation', 'partner', 'credential'])

/** The table as shipped becomes the partition of cell 00, with its own partitions of days or months. */
const partition = (table: string) => `
  alter table ${table} set schema cells;
  alter table cells.${table} rename to ${table}_00;
  alter table cells.${table}_00 add column cell text not null default '00' check (cell = '00');
  alter table cells.${table}_00 alter column id drop identity if exists;
  create table cells.${table}_01 (like cells.${table}_00 including defaults including indexes);
  create table cells.${table} (like cells.${table}_00 including defaults) partition by list (cell);
  alter table cells.${table} attach partition cells.${table}_00 for values in ('00');
  alter table cells.${table} attach partition cells.${table}_01 for values in ('01');
  ${['00', '01'].map((cell) => viewOf(table, cell)).join('')}`

const viewOf = (table: string, cell: string) => `
  create view cell_${cell}.${table} as select * from cells.${table} where cell = '${cell}' with check option;
  alter view cell_${cell}.${table} alter column cell set default '${cell}';
  ${
    ['authorization_record', 'audit_event'].includes(table)
      ? ''
      : `alter view cell_${cell}.${table} alter column id set default nextval('cells.id');`
  }`

type Plan = { 'Relation Name'?: string; Operation?: string; Plans?: Plan[] } & Record<string, unknown>

/** What one session sees. Each plan of its statements is added to `plans`. */
function connect(url: string, searchPath: string) {
  const settings = {
    ...requestSettings(10_000),
    search_path: searchPath,
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_format': 'json',
    'auto_explain.log_nested_statements': 'on',
    client_min_messages: 'log',
  }
  const plans: Plan[] = []
  const pool = new pg.Pool({
    connectionString: url,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`)
      .join(' '),
    types: {
      getTypeParser: (oid, format) => (oid === INT8 ? parseInt8 : pg.types.getTypeParser(oid, format)),
    },
  })
  // The database is dropped while connections close.
  pool.on('error', () => {})
  pool.on('connect', (client) =>
    client.on('notice', ({ message = '' }) => {
      const [, json] = message.split('plan:\n')
      if (json) plans.push((JSON.parse(json) as { Plan: Plan }).Plan)
    }),
  )
  return { db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }), plans }
}
type Session = ReturnType<typeof connect>

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

let database: Awaited<ReturnType<typeof temporaryDatabase>>
let [own, other, both]: Session[] = []
/** The cell of each table with rows of one, also of the partitions of a day or a month. */
const cellOf = new Map<string, string>()

beforeAll(async () => {
  database = await temporaryDatabase()
  await onServer(database.url, async (admin) => {
    await admin.query(`insert into installation (environment) values ('sandbox')`)
    await admin.query(
      'create schema cells; create schema cell_00; create schema cell_01; create sequence cells.id',
    )
    for (const table of OF_CELL) await admin.query(partition(table))
    for (const cell of ['00', '01'])
      for (const table of OF_CELL) {
        const { rows } = await admin.query<{ name: string }>(
          `select relname as name from pg_partition_tree('cells.${table}_${cell}') t join pg_class c on c.oid = t.relid`,
        )
        for (const { name } of rows) cellOf.set(name, cell)
      }
  })
  ;[own, other, both] = ['cell_00,public', 'cell_01,public', 'cells,public'].map((path) =>
    connect(database.url, path),
  )
})
afterAll(async () => {
  await Promise.all([own, other, both].map((session) => session!.db.destroy()))
  await database[Symbol.asyncDispose]()
})

/** The cells of the tables that the statements have opened, the other tables, and those of these that were written. */
function opened({ plans }: Session) {
  const nodes = plans.splice(0).flatMap(nodesOf)
  const names = [...new Set(nodes.flatMap((node) => node['Relation Name'] ?? []))]
  // The parents have no rows: they are named as the target of a change.
  const others = names.filter((name) => !cellOf.has(name) && !OF_CELL.includes(name))
  const written = new Set(nodes.filter(({ Operation }) => Operation).map((node) => node['Relation Name']))
  return {
    cells: [...new Set(names.flatMap((name) => cellOf.get(name) ?? []))],
    others: others.filter((name) => !COPIED.has(name)),
    written: others.filter((name) => written.has(name)),
  }
}

const config = readConfig({
  TIWALA_PENDING_PER_CITIZEN: '10',
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '10',
})
const ORIGIN = { requestId: 'test', traceparent: null }
const now = sql`clock_now()`
const timed = () => ({ tracking_no: sql`timed_tracking_no(${mintTrackingNo()}, ${now})`, requested_at: now })

/** A citizen of the first cell, with everything that the statements need. */
async function prepare({ db }: Session) {
  const partner = await addPartner(db, { callback_url: 'https://partner.example/' })
  const credential = await addCredential(db, partner.id)
  const citizen = await addCitizen(db)
  const [inquireQr, shareQr] = [
    await addQr(db, citizen, { purpose: 'inquire' }),
    await addQr(db, citizen, { purpose: 'share' }),
  ]
  const pending = await addRecord(db, partner, citizen, timed())
  const accepted = await addRecord(db, partner, citizen, { ...ACCEPTED, ...timed() })
  const usedQr = await addQr(db, citizen, { used_at: now, tracking_no: pending.tracking_no })
  const code = await addCode(db, partner, citizen)
  const token = await addToken(db, await addCode(db, partner, citizen), credential)
  const access = { partnerId: partner.id, credentialId: credential.id, accessVersion: 1 }
  await writeDisclosure(db, accepted.tracking_no, access, randomUUID())
  return {
    partner,
    citizen: [citizen.uniqid_hmac],
    inquireQr,
    shareQr,
    usedQr,
    pending,
    accepted,
    code,
    token,
    access,
  }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

/** Each returns whether the statement did its work. */
const HOT: Record<string, (db: Database, prepared: Prepared) => Promise<boolean>> = {
  insertQrCode: async (db, { citizen, partner }) => {
    const ids = { recordId: mintRecordId(), trackingNo: mintTrackingNo() }
    const code = {
      hmac: randomUUID(),
      purpose: 'inquire' as const,
      partnerCode: partner.partner_code,
      ...ids,
    }
    return (await insertQrCode(db, citizen, code, 60, 'test')) !== undefined
  },
  createPendingRecord: async (db, { access, inquireQr }) => {
    const presentation = { ...access, qrHmacs: [inquireQr.hmac], qrValue: '', requestId: 'test' }
    return (await createPendingRecord(db, presentation, config)).id !== null
  },
  findRecordOfRetry: async (db, { partner, usedQr }) =>
    (await findRecordOfRetry(db, partner.id, [usedQr.hmac], 'PROFILE_INQUIRE', config)) !== undefined,
  findPendingProfile: async (db, { citizen, pending }) =>
    (await findPendingProfile(db, citizen, pending.tracking_no)) !== undefined,
  answerPending: async (db, { citizen, pending }) => {
    const copied = { profile: 'profile', snapshot: 'copy' }
    const decision = { answer: 'ACCEPTED', ...copied, resultTtlSeconds: 60 } as const
    return (await answerPending(db, citizen, pending.tracking_no, decision, ORIGIN)) !== undefined
  },
  inquireRecord: async (db, { access, accepted }) => {
    const inquiry = { ...access, trackingNo: accepted.tracking_no, requestId: 'test', timeZone: 'UTC' }
    return (await inquireRecord(db, inquiry))?.snapshot === 'copy'
  },
  writeDisclosure: async (db, { access, accepted }) =>
    (await writeDisclosure(db, accepted.tracking_no, access, 'test')).is_recorded,
  cancelPending: async (db, { partner, pending }) => {
    await cancelPending(db, partner.id, pending.tracking_no, ORIGIN)
    return isInState(db, pending, 'CANCELLED')
  },
  revokeConsent: async (db, { citizen, accepted }) => {
    await revokeConsent(db, citizen, accepted.tracking_no, ORIGIN)
    return isInState(db, accepted, 'REVOKED')
  },
  findShareable: async (db, { partner, shareQr }) =>
    (await findShareable(db, { hmacs: [shareQr.hmac], secretCode: partner.secret_code })) !== undefined,
  createViewedRecord: async (db, { access, shareQr, accepted }) => {
    const trackingNo = accepted.tracking_no.slice(0, 9) + mintTrackingNo().slice(9)
    const view = {
      ...access,
      ...ORIGIN,
      qrHmacs: [shareQr.hmac],
      qrValue: '',
      callback_url: null,
      trackingNo,
      profile: 'profile',
      snapshot: 'copy',
    }
    return (await createViewedRecord(db, view, 60)).is_created
  },
  insertExchangeCode: async (db, { citizen, partner }) => {
    const code = { hmac: randomUUID(), challenge: undefined, hasState: false, ttlSeconds: 60 }
    return (await insertExchangeCode(db, citizen, partner.partner_code, code, 'test')) !== undefined
  },
  redeemExchangeCode: async (db, { access, code }) => {
    const redemption = { ...access, codeHmacs: [code.hmac], challenge: null, tokenHmac: randomUUID() }
    const redeemed = await redeemExchangeCode(db, { ...redemption, requestId: 'test', tokenTtlSeconds: 60 })
    return redeemed!.is_redeemed
  },
  findToken: async (db, { token }) => (await findToken(db, { hmacs: [token.hmac] })) !== undefined,
  consumeToken: async (db, { token }) =>
    (await consumeToken(db, { ...ORIGIN, tokenHmacs: [token.hmac], accessVersion: 1 })) !== undefined,
  listDisclosuresOf: async (db, { citizen }) =>
    (await listDisclosuresOf(db, citizen, undefined, 10)).length > 0,
  listConsents: async (db, { citizen }) =>
    (await listConsents(db, citizen, { state: undefined, after: undefined, limit: 10 })).length > 0,
}

const isInState = async (db: Database, { tracking_no }: { tracking_no: string }, state: string) =>
  (
    await read(
      db,
      `select from authorization_record where tracking_no = '${tracking_no}' and state = '${state}'`,
    )
  ).length === 1

const rowsOfOther = async () =>
  Promise.all(OF_CELL.map((table) => read(other!.db, `select count(*) as rows from cell_01.${table}`)))

test.each(Object.entries(HOT))(
  '%s does its work in one cell, and finds nothing in another',
  async (_name, run) => {
    const prepared = await prepare(own!)
    const before = await rowsOfOther()
    expect(await run(other!.db, prepared)).toBe(false)
    own!.plans.splice(0)
    expect(await run(own!.db, prepared)).toBe(true)
    expect(opened(own!)).toEqual({ cells: ['00'], others: [], written: [] })
    expect(await rowsOfOther()).toEqual(before)
  },
)

test('control: a session that sees both cells opens the tables of both', async () => {
  const prepared = await prepare(own!)
  expect(await HOT['findShareable']!(both!.db, prepared)).toBe(true)
  expect(opened(both!).cells.toSorted()).toEqual(['00', '01'])
})
