// A start with an unusable PostgreSQL: one line says why, and neither the database nor the data folder
// changes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { bindSettings, findDifferentSettings } from '../../src/database/bind-settings.ts'
import { connectPostgres, requestSettings } from '../../src/database/connect.ts'
import { allowedConnections, checkConnectionLimits } from '../../src/database/fitness.ts'
import { checkPostgres, requirePostgres } from '../../src/database/require-postgres.ts'
import { readServerFacts } from '../../src/database/server-facts.ts'
import { connectionFor } from '../../src/database/session.ts'
import { findUnsafeSettings } from '../../src/database/unsafe-settings.sql.ts'
import { countConnections } from '../../src/fleet/fleet.sql.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { start } from '../../src/start.ts'
import { freePort, startService } from '../../src/testing/start-service.ts'
import { databaseUrlOf } from '../kit/database-url.ts'
import { fakeDatabase } from '../kit/fake-database.ts'
import { startupErrorOf } from '../kit/server-process.ts'
import { temporaryDatabase, temporaryPostgres } from '../kit/temporary-resources.ts'
import {
  EMPTY,
  PASSWORD,
  UNUSABLE_DATABASES,
  setInDatabase,
  type MakeUnusable,
} from './unusable-databases.ts'

const CATALOG = `
  select string_agg(what, E'\\n' order by what) as what from (
    select 'schema ' || oid || nspname as what from pg_namespace where oid >= 16384
    union all select 'relation ' || oid || relname from pg_class
                where oid >= 16384 and relnamespace <> 'pg_toast'::regnamespace
    union all select 'function ' || oid || proname from pg_proc where oid >= 16384
    union all select 'type ' || oid || typname from pg_type where oid >= 16384
  ) objects`

async function tryToStart(template: string | undefined, makeUnusable: MakeUnusable) {
  await using database = await temporaryDatabase(template)
  const [url, admin] = [new URL(database.url), new pg.Client(database.url)]
  await admin.connect()
  const undo = await makeUnusable({ url, admin })
  const catalog = async () => (await admin.query<{ what: string | null }>(CATALOG)).rows[0]!.what
  const before = await catalog()
  const dataDir = join(database.folder, 'data')
  const settings = {
    DATABASE_URL: url.href,
    TIWALA_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    LOG_LEVEL: 'silent',
  }
  const error = await start(readConfig(settings), createLog('silent')).then(
    ({ close }) => close().then(() => undefined),
    ({ message, cause }: Error) => `${message} (${(cause as Error | undefined)?.message})`,
  )
  const after = await catalog()
  if (typeof undo === 'function') await undo()
  await admin.end()
  return { error, isCatalogUnchanged: after === before, hasFolder: existsSync(dataDir) }
}

describe.concurrent('the start is refused, and nothing is created:', () => {
  test.each(UNUSABLE_DATABASES)('%s', async (_what, template, makeUnusable, message) => {
    const { error, ...left } = await tryToStart(template, makeUnusable)
    expect(error).toMatch(message)
    expect(error).not.toContain(PASSWORD)
    expect(left).toEqual({ isCatalogUnchanged: true, hasFolder: false })
  })

  test('control: a start with a usable database creates the schema and the data folder', async () => {
    expect(await tryToStart(EMPTY, async () => {})).toEqual({
      error: undefined,
      isCatalogUnchanged: false,
      hasFolder: true,
    })
  })
})

test('the first start binds what the data depends on', async () => {
  await using database = await temporaryDatabase()
  const { db, close } = connectPostgres(database.url, () => {})
  const settings = {
    TIWALA_TIME_ZONE: 'Asia/Tokyo',
    TIWALA_PUBLIC_URL: 'https://tiwala.example',
    TIWALA_CITIZEN_ISSUER: 'https://citizens.example',
    TIWALA_OPERATOR_ISSUER: 'https://operators.example',
    TIWALA_STAFF_ISSUER: 'https://staff.example',
    TIWALA_ACR_VALUES: 'high,substantial,low',
  }
  await bindSettings(db, readConfig(settings))
  const changed = Object.fromEntries(Object.entries(settings).map(([name]) => [name, undefined]))
  const different = await findDifferentSettings(db, readConfig(changed))
  await close()
  expect(Object.fromEntries(different.map(({ name, bound }) => [name, bound]))).toEqual(settings)
})

test('the start is refused when transaction_timeout is set (PostgreSQL 17 and later)', async () => {
  let hasLimit = false
  const { error } = await tryToStart(EMPTY, async (target) => {
    const { rows } = await target.admin.query(`select from pg_settings where name = 'transaction_timeout'`)
    hasLimit = rows.length === 1
    if (hasLimit) await setInDatabase(`transaction_timeout = '30s'`)(target)
  })
  const refusal = /transaction_timeout is 30s, which .*: alter role postgres set transaction_timeout = 0\./
  expect([hasLimit, refusal.test(error ?? '')]).toEqual([hasLimit, hasLimit])
})

test('the start is refused while a crash of PostgreSQL could lose acknowledged writes', async () => {
  await using postgres = await temporaryPostgres({})
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  const db = fakeDatabase(
    async ({ sql, parameters }) => (await admin.query(sql, [...parameters])).rows as object[],
  )
  for (const name of ['fsync', 'full_page_writes']) {
    await admin.query(`alter system set ${name} = off`)
    await admin.query('select pg_reload_conf()')
    const options = { databaseUrl: postgres.url, requestMs: 1_000 }
    const refusal = `cannot be used: ${name} is off, so a crash would lose acknowledged writes: alter system set ${name} = on.`
    await expect
      .poll(() => requirePostgres(options, () => {}).catch(({ message }: Error) => message))
      .toContain(refusal)
    expect(await findUnsafeSettings(db)).toEqual([name])
    await admin.query(`alter system reset ${name}`)
    await admin.query('select pg_reload_conf()')
    await expect
      .poll(() => requirePostgres(options, () => {}).catch(({ message }: Error) => message))
      .toBeUndefined()
  }
  await admin.end()
})

test('the fleet shows as many connections as the start counts: those of the role', async () => {
  await using database = await temporaryDatabase()
  const [url, admin] = [new URL(database.url), new pg.Client(database.url)]
  await admin.connect()
  const role = `role_${url.pathname.slice(1)}`
  await admin.query(`create role ${role} login password '${PASSWORD}' connection limit 40`)
  Object.assign(url, { username: role, password: PASSWORD })
  const client = new pg.Client(url.href)
  const { db, close } = connectPostgres(url.href, () => {})
  await client.connect()
  const { limits } = await countConnections(db)
  expect(limits).toMatchObject({ role, role_limit: 40, is_superuser: false })
  expect(await readServerFacts(client)).toMatchObject(limits)
  expect(allowedConnections(limits)).toBe(40)
  expect(allowedConnections({ ...limits, database_limit: 35 })).toBe(35)
  expect(allowedConnections({ ...limits, database_limit: 35, is_superuser: true })).toBe(limits.server_limit)
  await client.end()
  await close()
  await admin.query(`drop role ${role}`)
  await admin.end()
})

test('max_connections below the connections of one process is a problem', async () => {
  const admin = new pg.Client(inject('postgres').url)
  await admin.connect()
  const facts = await readServerFacts(admin)
  await admin.end()
  const alone = { hasPooler: false, startingProcesses: 1 }
  expect(checkConnectionLimits({ ...facts, server_limit: 29, processes: 0 }, alone)).toMatchObject({
    problem: 'it may have 29 connections and each process of Tiwala needs 30: raise max_connections',
    isWarning: false,
  })
  expect(checkConnectionLimits({ ...facts, server_limit: 100, processes: 2 }, alone)).toMatchObject({
    found: '100 are allowed, and each process opens 30: enough for 3; 2 run now, on all machines',
    problem: undefined,
  })
  const [many, pooled] = [false, true].map((hasPooler) =>
    checkConnectionLimits({ ...facts, server_limit: 100, processes: 3 }, { hasPooler, startingProcesses: 1 }),
  )
  expect(many).toMatchObject({
    problem:
      '4 processes on all machines need 120 connections, and 100 are allowed, so requests will be refused under load: ' +
      'allow more, run fewer, or set TIWALA_POOLER_URL',
    isWarning: true,
  })
  expect(pooled).toMatchObject({ problem: undefined })
})

test('the processes of all machines are counted', async () => {
  const service = await startService(inject('postgres'))
  const client = new pg.Client(await databaseUrlOf(service))
  await client.connect()
  expect((await readServerFacts(client)).processes).toBe(1)
  await client.end()
  await service.close()
})

describe('a replica', () => {
  const check = async (databaseUrl: string, replicaUrl: string) => {
    const warnings: string[] = []
    const options = { databaseUrl, replicaUrl, requestMs: 1_000 }
    const error = await requirePostgres(options, (text) => warnings.push(text)).then(
      () => undefined,
      ({ message }: Error) => message,
    )
    return { error, warnings: warnings.join() }
  }

  test('that leads to another database stops the start', async () => {
    await using database = await temporaryDatabase()
    await using other = await temporaryDatabase()
    expect((await check(database.url, database.url)).error).toBeUndefined()
    expect((await check(database.url, other.url)).error).toContain(
      'TIWALA_REPLICA_URL leads to another database.',
    )
  })

  test('that does not answer is a warning', async () => {
    await using database = await temporaryDatabase()
    const { error, warnings } = await check(database.url, `postgres://127.0.0.1:${await freePort()}/tiwala`)
    expect(error).toBeUndefined()
    expect(warnings).toContain('its replica: nothing listens there. Check TIWALA_REPLICA_URL.')
  })
})

describe('a pooler', () => {
  /** What the start says about the pooler at the URL, or which kind of statements it may use. */
  const checkPooler = async (databaseUrl: string, poolerUrl: string) => {
    const options = { databaseUrl, poolerUrl, requestMs: 1_000 }
    return requirePostgres(options, () => {}).catch(({ message }: Error) => message)
  }

  test('whose sessions lack the settings stops the start, and the error has the line for pgbouncer.ini', async () => {
    await using database = await temporaryDatabase()
    expect(await checkPooler(database.url, database.url)).toMatch(
      /tiwala\.session is not set in the sessions of its pooler and must be on\. .* connect_query='set tiwala\.session=on;set jit=off;/,
    )
  })

  test('whose sessions have another time zone is no other database', async () => {
    await using database = await temporaryDatabase()
    const pooler = new URL(database.url)
    pooler.searchParams.set('options', '-c TimeZone=Asia/Manila -c DateStyle=SQL')
    expect(await checkPooler(database.url, pooler.href)).toContain('set TimeZone=UTC;')
  })

  test('that leads to another database stops the start', async () => {
    await using database = await temporaryDatabase()
    await using other = await temporaryDatabase()
    expect(await checkPooler(database.url, other.url)).toContain(
      'TIWALA_POOLER_URL leads to another database.',
    )
  })

  test('whose sessions take synchronous_commit from the server stops the start', async () => {
    await using database = await temporaryDatabase()
    const pooler = new URL(database.url)
    const { synchronous_commit: _left, ...settings } = requestSettings(1_000)
    pooler.searchParams.set('options', connectionFor(database.url, 'requests', settings).options)
    expect(await checkPooler(database.url, pooler.href)).toMatch(
      /do not set synchronous_commit, so a reload of PostgreSQL could change it\. .*;set synchronous_commit=on'\.$/,
    )
  })

  test('that does not answer stops the start', async () => {
    await using database = await temporaryDatabase()
    expect(await checkPooler(database.url, `postgres://127.0.0.1:${await freePort()}/tiwala`)).toContain(
      'its pooler: nothing listens there. Check TIWALA_POOLER_URL.',
    )
  })

  test('with the settings is used, without prepared statements if it gives them no names of its own', async () => {
    await using database = await temporaryDatabase()
    // As the connect_query of PgBouncer does.
    const pooler = new URL(database.url)
    pooler.searchParams.set(
      'options',
      connectionFor(database.url, 'requests', requestSettings(1_000)).options,
    )
    expect(await checkPooler(database.url, pooler.href)).toEqual({ url: pooler.href, canPrepare: false })
  })
})

test.each([
  [3_000, /^its clock is \d+\.\d s behind the clock of this machine: synchronize both with NTP$/],
  [-3_000, /^its clock is \d+\.\d s ahead of the clock of this machine/],
])('a clock that differs by %d ms is a warning', async (differenceMs, problem) => {
  const now = Date.now.bind(Date)
  const options = { databaseUrl: inject('postgres').url, requestMs: 1_000 }
  const clockOf = async () => (await checkPostgres(options)).checks.find(({ name }) => name === 'clock')
  expect(await clockOf()).toMatchObject({ problem: undefined, isWarning: true })
  vi.spyOn(Date, 'now').mockImplementation(() => now() + differenceMs)
  const clock = await clockOf().finally(() => vi.restoreAllMocks())
  expect(clock).toMatchObject({ problem: expect.stringMatching(problem), isWarning: true })
})

test.each([
  ['CERT_HAS_EXPIRED', /its certificate has expired\. Renew it/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /its certificate is for another host\. Use a name/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /its certificate is from an unknown authority\. Add sslrootcert=<file>/],
])('a certificate with %s gets one line that says what to do', async (code, problem) => {
  vi.spyOn(pg.Client.prototype, 'connect').mockRejectedValue(Object.assign(new Error('TLS'), { code }))
  const databaseUrl = `postgres://svc:${PASSWORD}@127.0.0.1:${await freePort()}/tiwala?sslmode=verify-full`
  const options = { databaseUrl, requestMs: 1_000 }
  const { checks } = await checkPostgres(options).finally(() => vi.restoreAllMocks())
  expect(checks).toEqual([{ name: 'connection', found: '', problem: expect.stringMatching(problem) }])
})

test('an error of the start is one line', async () => {
  const url = new URL(inject('postgres').url)
  url.password = PASSWORD
  const error = await startupErrorOf({ DATABASE_URL: url.href })
  expect(error).toMatch(
    /^Tiwala cannot start: .* cannot be used: password authentication failed for user "postgres"\. Check/,
  )
  expect(error.trim().split('\n')).toHaveLength(1)
  expect(error).not.toContain(PASSWORD)
})
