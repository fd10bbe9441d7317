// The database itself refuses duplicates, unknown values and changes of the audit, and publishes each change
// of a partner's access, with every statement that the service sends.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, inject, test, vi } from 'vitest'
import { insertCheckpoint } from '../../src/audit/sealing/sealing.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { databaseUrl } from '../../src/testing/database.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const { service, api } = await startServiceForFile()
const { db } = service

// Each table has a row.
// A busy machine may refuse the first request.
await vi.waitFor(() => api.createPendingRecord(), { timeout: 20_000 })
await api.issueAccessToken()
await api.issueExchangeCode()
await service.advance(1)
const otherPartner = await addPartner()
await sql`
  insert into callback_event (partner_id, type, data) values (${otherPartner}, 'test', '{}')`.execute(db)
const { rows: codes } = await sql<{ id: number }>`select max(id) as id from exchange_code`.execute(db)

/** The error of two checkpoints with two leaves each. */
const sealed = await errorOf(async (tx) => {
  for (const [number, ids] of [
    [-1, [-1, -2]],
    [-2, [-3, -4]],
  ] as const) {
    const leaves = ids.map((id) => ({ id, hash: 'hash' }))
    await insertCheckpoint(tx, { number, body: '', signature: '', salt: '', leaves })
  }
})

async function addPartner(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into partner (partner_code, secret_code, name, purpose, scopes, ip_allow_list, limits)
    select gen_random_uuid(), gen_random_uuid(), name, purpose, '{}', ip_allow_list, limits
      from partner limit 1 returning id`.execute(db)
  return rows[0]!.id
}

/** Runs in a transaction that rolls back. Returns the error of PostgreSQL, or null. */
async function errorOf(act: (tx: Database) => Promise<unknown>): Promise<Partial<pg.DatabaseError> | null> {
  const tx = await db.startTransaction().execute()
  const error = await act(tx).then(
    () => null,
    (thrown: pg.DatabaseError) => thrown,
  )
  await tx.rollback().execute()
  return error && { message: error.message, ...(error.constraint && { constraint: error.constraint }) }
}

/** Inserts a copy of a row with other values. */
const copyRow = (tx: Database, table: string, values: object) =>
  sql`insert into ${sql.table(table)} overriding system value
      select (jsonb_populate_record(t, ${JSON.stringify(values)}::text::jsonb)).*
        from ${sql.table(table)} t limit 1`.execute(tx)

const without = (values: Record<string, unknown>, column: string) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== column))

/** A new value for each unique column of a table. */
const NEW_VALUES: Record<string, Record<string, number | string>> = {
  partner: { id: -1, partner_code: 'NEW', secret_code: 'NEW' },
  credential: { id: -1, credential_id: 'crd_new' },
  citizen: { id: -1, uniqid_hmac: 'new', subject: randomUUID() },
  qr_code: { id: -1, hmac: 'new' },
  exchange_code: { id: -1, hmac: 'new' },
  access_token: { id: -1, hmac: 'new', exchange_code_id: codes[0]!.id },
  callback_event: { id: -1, webhook_id: 'evt_new' },
  sandbox: { id: -1, sandbox_id: 'new', inbox_key: 'new', partner_id: otherPartner },
}

describe.each(Object.entries(NEW_VALUES))('%s', (table, values) => {
  test('accepts a row with new values', async () => {
    expect(await errorOf((tx) => copyRow(tx, table, values))).toBeNull()
  })

  test.each(Object.keys(values))('refuses a duplicate of %s', async (column) => {
    const constraint = column === 'id' ? `${table}_pkey` : `${table}_${column}_key`
    const error = await errorOf((tx) => copyRow(tx, table, without(values, column)))
    expect(error).toMatchObject({ constraint, message: expect.stringContaining('duplicate key') })
  })
})

test('two partners may have the same tracking number, but not one partner', async () => {
  const copy = (values: object) => errorOf((tx) => copyRow(tx, 'authorization_record', { id: -1, ...values }))
  expect(await copy({ partner_id: otherPartner })).toBeNull()
  expect(await copy({ tracking_no: 'NEW' })).toBeNull()
  expect(await copy({})).toMatchObject({
    constraint: expect.stringMatching(/^authorization_record_\d{8}_partner_id_tracking_no_key$/),
  })
})

test('a position of a checkpoint has one leaf, and an event has one leaf', async () => {
  const addLeaf = (values: string) =>
    errorOf(async (tx) => {
      await sql`insert into audit_leaf values (-1, 0, -1, '')`.execute(tx)
      await sql.raw(`insert into audit_leaf values (${values}, '')`).execute(tx)
    })
  expect(sealed).toBeNull()
  expect(await addLeaf('-2, 0, -2')).toBeNull()
  expect(await addLeaf('-1, 0, -2')).toMatchObject({ constraint: 'audit_leaf_past_pkey' })
  expect(await addLeaf('-2, 1, -1')).toMatchObject({ constraint: 'audit_leaf_past_event_id_key' })
})

test.each([
  ['clock', 'one', 'false'],
  ['installation', 'one', 'false'],
  ['installation', 'environment', `'test'`],
  ['partner', 'status', `'DELETED'`],
  ['credential', 'kind', `'password'`],
  ['qr_code', 'purpose', `'sign'`],
  ['authorization_record', 'scope', `'SSO_AUTHENTICATION'`],
  ['authorization_record', 'state', `'LOST'`],
  ['callback_event', 'status', `'LOST'`],
  ['sandbox_citizen', 'behavior', `'cancels'`],
])('%s.%s cannot be %s', async (table, column, value) => {
  const error = await errorOf((tx) => sql.raw(`update ${table} set ${column} = ${value}`).execute(tx))
  expect(error).toMatchObject({ constraint: `${table}_${column}_check` })
})

const { rows: auditPartitions } = await sql<{ name: string }>`
  select relid::text as name from pg_partition_tree('audit_event') where isleaf
  union all select relid::text from pg_partition_tree('audit_leaf') where isleaf`.execute(db)
const auditTables = [
  'audit_event',
  'audit_checkpoint',
  'audit_leaf',
  'audit_archive',
  ...auditPartitions.map(({ name }) => name),
]

test.each(auditTables)('%s is insert-only', async (table) => {
  const { rows } = await sql<{ column: string }>`
    select attname as column from pg_attribute
     where attrelid = ${table}::regclass and attnum = 1`.execute(db)
  const column = rows[0]!.column
  for (const text of [`update ${table} set ${column} = default`, `delete from ${table}`, `truncate ${table}`])
    for (const role of ['origin', 'replica'])
      expect(
        await errorOf(async (tx) => {
          await sql`set local session_replication_role = ${sql.lit(role)}`.execute(tx)
          await sql.raw(text).execute(tx)
        }),
      ).toEqual({ message: `${table} is insert-only` })
})

test('all_recorded fails unless the audit took every row', async () => {
  const record = (written: number, due: number) =>
    errorOf((tx) => sql`select all_recorded(${written}, ${due})`.execute(tx))
  expect(await record(2, 2)).toBeNull()
  expect(await record(1, 2)).toEqual({ message: 'the audit took 1 of 2 rows' })
})

describe('a change of a partner', () => {
  const engine = inject('postgres')

  /** What a statement publishes. */
  async function publishedBy(text: string): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
    const client = new pg.Client(databaseUrl(engine.url, rows[0]!.name))
    await client.connect()
    const payloads: string[] = []
    // A connection receives notifications in the order of their commits, so its own comes last.
    const isOver = new Promise<void>((resolve) =>
      client.on('notification', ({ payload = '' }) => {
        if (payload === 'test over') resolve()
        else if (payload === `partner ${otherPartner}`) payloads.push(payload)
      }),
    )
    await client.query('listen tiwala')
    await sql.raw(text).execute(db)
    await client.query(`notify tiwala, 'test over'`)
    await isOver
    await client.end()
    return payloads
  }

  const versionOf = async () =>
    (
      await sql<{ access_version: number }>`
        select access_version from partner where id = ${otherPartner}`.execute(db)
    ).rows[0]!.access_version

  test.each([
    ['status', `'SUSPENDED'`, 1],
    ['scopes', `'{PROFILE_VIEW}'`, 1],
    ['ip_allow_list', `'{203.0.113.7}'`, 1],
    ['name', `'New'`, 0],
  ])(
    '%s = %s raises the access version by %i, and publishes each new version',
    async (column, value, raise) => {
      const before = await versionOf()
      const published = await publishedBy(
        `update partner set ${column} = ${value} where id = ${otherPartner}`,
      )
      expect((await versionOf()) - before).toBe(raise)
      expect(published).toEqual(raise ? [`partner ${otherPartner}`] : [])
    },
  )

  test.each([
    [`update credential set revoked_at = clock_now()`, true],
    [`update credential set expires_at = clock_now()`, true],
    [`update credential set last_used_on = current_date`, false],
    [`delete from credential`, true],
  ])('%s: published: %s', async (text, isPublished) => {
    await sql`
      insert into credential (partner_id, kind, hmac, expires_at)
      values (${otherPartner}, 'secret_token', '', '2100-01-01')`.execute(db)
    const published = await publishedBy(`${text} where partner_id = ${otherPartner}`)
    await sql`delete from credential where partner_id = ${otherPartner}`.execute(db)
    expect(published).toEqual(isPublished ? [`partner ${otherPartner}`] : [])
  })
})
