// The rows of a sandbox in the tables of every noun: its clock and its end change them, and no others.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { deleteOwnedRows, deleteSomeOwnedRows, makeOlder } from '../../src/sandbox/owned-rows.sql.ts'
import {
  addCode,
  addCredential,
  addParties,
  addQr,
  addRecord,
  addSandbox,
  addToken,
  read,
  type Row,
} from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const TABLES = [
  'access_token',
  'anomaly',
  'approval',
  'authorization_record',
  'callback_endpoint',
  'callback_event',
  'credential',
  'diagnosis',
  'dispute',
  'exchange_code',
  'member',
  'partner_figure',
  'partner_request',
  'partner_sign_in',
  'partner_usage',
  'partner_use',
  'qr_code',
  'sandbox_event',
  'sign_in_purpose',
  'sign_in_request',
  'webhook_secret',
]

/** A row of each table for this partner or this citizen, and one between both. */
async function addRows(tx: Database, partner: Row, citizen: Row): Promise<void> {
  await addRecord(tx, partner, citizen)
  await addToken(tx, await addCode(tx, partner, citizen), { id: 0 })
  await read(
    tx,
    `insert into dispute (request_id, citizen_id, partner_id)
     values (gen_random_uuid(), ${citizen.id}, ${partner.id})`,
  )
}

/** Without a citizen, the request is not opened. */
const addSignIn = (tx: Database, { id }: Row, citizen?: Row) =>
  read(
    tx,
    `insert into sign_in_request (id, partner_id, citizen_id, interaction_uid, browser_hmac, purpose, items,
                                  optional_items, comparison, expires_at)
     values (gen_random_uuid(), ${id}, ${citizen?.id ?? null}, gen_random_uuid(), '', '', '{}', '{}', '', clock_now())`,
  )

async function addPartnerRows(tx: Database, partner: Row): Promise<void> {
  const { id } = partner
  await addCredential(tx, id, { expires_at: sql`clock_now()` })
  for (const statement of [
    `insert into callback_event (partner_id, type, data) values (${id}, '', '{}')`,
    `insert into callback_endpoint values (${id}, clock_now())`,
    `insert into webhook_secret (partner_id, salt, previous_until) values (${id}, '', clock_now())`,
    `insert into partner_sign_in (partner_id, redirect_uris, post_logout_redirect_uris, profile, id_token_alg, keys)
     values (${id}, '{}', '{}', 'standard', '', '[]')`,
    `insert into sign_in_purpose (partner_id, name, position, text, items, optional_items)
     values (${id}, '', 1, '', '{}', '{}')`,
    `insert into partner_usage values (${id}, current_date, 1)`,
    `insert into partner_figure (partner_id, hour, kind, count) values (${id}, 1, '', 1)`,
    `insert into partner_use values (${id}, '', '', current_date, current_date)`,
    `insert into diagnosis (request_id, partner_id, occurred_at, status, error, checks)
     values (gen_random_uuid(), ${id}, clock_now(), 400, '', '[]')`,
    `insert into approval (approval_id, kind, partner_id, requested_by, change, previous, expires_at)
     values (gen_random_uuid(), '', ${id}, '', '{}', '{}', clock_now())`,
    `insert into anomaly (anomaly_id, partner_id, kind, expected, threshold, observed, address_ranges)
     values (gen_random_uuid(), ${id}, '', 1, 1, 1, '{}')`,
    `insert into member (member_id, partner_id, email, role) values (gen_random_uuid(), ${id}, '', 'viewer')`,
    `insert into partner_request (partner_id, operation, received_at, request_id, method, status, duration_ms)
     values (${id}, '', clock_now(), gen_random_uuid(), 'GET', 200, 1)`,
  ])
    await read(tx, statement)
}

async function addSandboxRows(tx: Database, { id }: Row): Promise<void> {
  await read(
    tx,
    `insert into sandbox_event (sandbox, is_refused, signature_ok, body) values (${id}, false, true, '')`,
  )
}

const addAudit = (tx: Database, { id }: Row) =>
  read(tx, `insert into audit_event (kind, partner_id, request_id) values ('', ${id}, '')`)

type Fields = Record<string, unknown>

/** The rows by their table and owners, each of which has a row. */
async function readRows(tx: Database, names: Map<string, string>): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>()
  for (const table of TABLES) {
    const rows = await read<{ row: Fields }>(tx, `select to_jsonb(t) as row from ${table} t`)
    for (const { row } of rows) {
      const owners = ['partner_id', 'citizen_id', 'sandbox'].flatMap(
        (column) => names.get(`${column} ${String(row[column])}`) ?? [],
      )
      if (owners.length > 0) found.set(`${table} ${owners.join(' ')}`, row)
    }
  }
  return found
}

const isTime = (value: unknown): value is string => /^\d{4}-\d\d-\d\dT/.test(String(value))
const timesOf = (row: Fields | undefined) =>
  Object.values(row ?? {})
    .filter(isTime)
    .map((time) => Date.parse(time))

test('makeOlder and deleteOwnedRows change the rows of the sandbox, and no others', () =>
  rolledBack(database, async (tx) => {
    const { partner, otherPartner, citizen, otherCitizen } = await addParties(tx)
    const [sandbox, other] = [await addSandbox(tx, partner), await addSandbox(tx, otherPartner)]
    for (const each of [partner, otherPartner])
      for (const owner of [citizen, otherCitizen]) await addRows(tx, each, owner)
    for (const each of [partner, otherPartner]) {
      await addPartnerRows(tx, each)
      await addSignIn(tx, each)
    }
    await addSignIn(tx, otherPartner, citizen)
    for (const each of [citizen, otherCitizen]) await addQr(tx, each)
    for (const each of [sandbox, other]) await addSandboxRows(tx, each)
    await addAudit(tx, partner)
    const names = new Map([
      [`partner_id ${partner.id}`, 'own'],
      [`partner_id ${otherPartner.id}`, 'other'],
      [`citizen_id ${citizen.id}`, 'own'],
      [`citizen_id ${otherCitizen.id}`, 'other'],
      [`sandbox ${sandbox.id}`, 'own'],
      [`sandbox ${other.id}`, 'other'],
    ])
    const owned = { id: sandbox.id, partner_id: partner.id, citizen_ids: [citizen.id] }
    const before = await readRows(tx, names)
    expect(new Set([...before.keys()].map((key) => key.split(' ')[0]))).toEqual(new Set(TABLES))

    await makeOlder(tx, owned, 60)
    const older = await readRows(tx, names)
    const secondsOlder = ([key, row]: [string, Fields]) =>
      timesOf(row).map((time, index) => (time - timesOf(older.get(key))[index]!) / 1_000)
    for (const entry of before) {
      // The audit does not get older, so neither does the dispute of a disclosure in it.
      const seconds = /other|^dispute/.test(entry[0]) ? 0 : 60
      expect([entry[0], ...secondsOlder(entry)]).toEqual([entry[0], ...timesOf(entry[1]).map(() => seconds)])
    }

    await deleteOwnedRows(tx, owned)
    const left = [...(await readRows(tx, names)).keys()]
    // A citizen takes what other partners had of that citizen along.
    const goesWithCitizen = (key: string) => key.endsWith(' other own')
    const isOwn = (key: string) => key.split(' ')[1] === 'own'
    expect(left.toSorted()).toEqual(
      [...before.keys()].filter((key) => !isOwn(key) && !goesWithCitizen(key)).toSorted(),
    )
    const ended = `select status, callback_url from partner where id = ${partner.id}`
    expect(await read(tx, ended)).toEqual([{ status: 'SUSPENDED', callback_url: null }])
    expect(await read(tx, `select id from sandbox where id in (${sandbox.id}, ${other.id})`)).toEqual([
      { id: other.id },
    ])
  }))

test('deleteSomeOwnedRows deletes the most numerous rows of the sandbox in batches, and no others', () =>
  rolledBack(database, async (tx) => {
    const { partner, otherPartner, citizen, otherCitizen } = await addParties(tx)
    const owned = { id: 0, partner_id: partner.id, citizen_ids: [citizen.id] }
    for (const each of [partner, partner, partner, otherPartner])
      await read(
        tx,
        `insert into partner_request (partner_id, operation, received_at, request_id, method, status, duration_ms)
         values (${each.id}, '', clock_now(), gen_random_uuid(), 'GET', 200, 1)`,
      )
    for (const each of [citizen, citizen, citizen, otherCitizen]) await addQr(tx, each)
    const countAll = async () => {
      const [counts] = await read(
        tx,
        `select (select count(*) from partner_request where partner_id = ${partner.id}) as requests,
                (select count(*) from qr_code where citizen_id = ${citizen.id}) as codes,
                (select count(*) from partner_request where partner_id = ${otherPartner.id})
                + (select count(*) from qr_code where citizen_id = ${otherCitizen.id}) as others`,
      )
      return counts
    }
    expect(await deleteSomeOwnedRows(tx, owned, 2)).toBe(true)
    expect(await countAll()).toEqual({ requests: 1, codes: 1, others: 2 })
    expect(await deleteSomeOwnedRows(tx, owned, 2)).toBe(false)
    expect(await countAll()).toEqual({ requests: 0, codes: 0, others: 2 })
  }))

test.each([
  ['a sandbox that was made and deleted leaves no row', async () => {}, false],
  ['the partner stays if the audit names it', (tx: Database, partner: Row) => addAudit(tx, partner), true],
  [
    'the partner stays if a QR code of another sandbox is for it',
    async (tx: Database, partner: Row, otherCitizen: Row) => {
      const { id } = await addQr(tx, otherCitizen)
      await read(tx, `update qr_code set partner_id = ${partner.id} where id = ${id}`)
    },
    true,
  ],
])('%s', (_what, add, isKept) =>
  rolledBack(database, async (tx) => {
    const { partner, citizen, otherCitizen } = await addParties(tx)
    const sandbox = await addSandbox(tx, partner)
    await addPartnerRows(tx, partner)
    await add(tx, partner, otherCitizen)
    await deleteOwnedRows(tx, { id: sandbox.id, partner_id: partner.id, citizen_ids: [citizen.id] })
    expect(await read(tx, `select status from partner where id = ${partner.id}`)).toEqual(
      isKept ? [{ status: 'SUSPENDED' }] : [],
    )
  }),
)
