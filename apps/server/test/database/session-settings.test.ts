// The session settings of the server override those of a role, of a database, and of DATABASE_URL.
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { CONNECTIONS } from '../../src/database/session.ts'
import { createLog } from '../../src/http/pipeline/log.ts'
import { start } from '../../src/start.ts'
import { freePort } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'
import { EMPTY, PASSWORD, proxyTo } from './unusable-databases.ts'

/** Each of these settings alone made the service fail or made it slow. */
const BAD_SETTINGS: Record<string, string> = {
  jit: 'on',
  plan_cache_mode: 'force_custom_plan',
  enable_indexscan: 'off',
  enable_nestloop: 'off',
  enable_incremental_sort: 'on',
  default_transaction_isolation: 'serializable',
  synchronous_commit: 'off',
  search_path: 'nowhere',
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  timezone: 'Asia/Manila',
  array_nulls: 'off',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  log_parameter_max_length_on_error: '1000',
  statement_timeout: '1ms',
  lock_timeout: '1ms',
  idle_session_timeout: '200ms',
  idle_in_transaction_session_timeout: '1ms',
  tcp_keepalives_idle: '7200',
  tcp_keepalives_interval: '75',
  tcp_keepalives_count: '9',
}
const EXPECTED_SETTINGS = {
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  enable_indexscan: 'on',
  enable_nestloop: 'on',
  enable_incremental_sort: 'off',
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
  search_path: 'public',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  log_parameter_max_length_on_error: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: '5000',
  tcp_keepalives_idle: '60',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
}

test('200: bad settings of the role: both journeys work, and each connection overrides them', async () => {
  await using after = new AsyncDisposableStack()
  const database = after.use(await temporaryDatabase(EMPTY))
  const [address, admin] = [new URL(database.url), new pg.Client(database.url)]
  const [name, role] = [address.pathname.slice(1), `bad_settings_${address.pathname.slice(1)}`]
  await admin.connect()
  await admin.query(
    `create role ${role} login password '${PASSWORD}';
     grant create on database ${name} to ${role};
     grant create on schema public to ${role}`,
  )
  after.defer(async () => {
    await admin.query(`drop owned by ${role} cascade; drop role ${role}`)
    await admin.end()
  })
  for (const [setting, value] of Object.entries(BAD_SETTINGS))
    await admin.query(`alter role ${role} set ${setting} = '${value}'`)
  // The startup options of every connection that the server opens, by purpose.
  const optionsByPurpose = new Map<string, string>()
  const port = await proxyTo(address.port, (parameters) =>
    optionsByPurpose.set(parameters.get('application_name')!, parameters.get('options') ?? ''),
  )
  Object.assign(address, { username: role, password: PASSWORD })
  const direct = address.href
  address.port = port
  address.searchParams.set('options', '-c jit=on -c work_mem=5MB')
  const settings = {
    DATABASE_URL: address.href,
    TIWALA_DATA_DIR: join(database.folder, 'data'),
    PORT: String(await freePort()),
  }
  const config = readConfig({ ...settings, LOG_LEVEL: 'silent' })
  const { close } = await start(config, createLog('silent'))
  const service = after.use({ [Symbol.asyncDispose]: close })
  const api = await createApiClient(config.publicUrl)
  const trackingNo = await api.createPendingRecord()
  expect((await api.accept(trackingNo)).status).toBe(200)
  expect((await api.inquire(trackingNo)).status).toBe(200)
  expect((await api.viewByQr(await api.issueQrValue('share'))).status).toBe(200)
  expect((await api.signIn(await api.issueAccessToken())).status).toBe(200)
  expect((await fetch(`${config.publicUrl}/readyz`)).status).toBe(200)
  await service[Symbol.asyncDispose]()
  expect([...optionsByPurpose.keys()].toSorted()).toEqual(
    Object.keys(CONNECTIONS)
      .map((purpose) => `tiwala-${purpose}`)
      .toSorted(),
  )
  // Open a session with the same options, and compare the settings that PostgreSQL applies.
  for (const [application_name, options] of optionsByPurpose) {
    const session = new pg.Client({ connectionString: direct, application_name, options })
    await session.connect()
    const { rows } = await session.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name = any($1) or name = 'work_mem'`,
      [Object.keys(EXPECTED_SETTINGS)],
    )
    await session.end()
    expect([application_name, Object.fromEntries(rows.map((row) => [row.name, row.setting]))]).toEqual([
      application_name,
      { ...EXPECTED_SETTINGS, work_mem: '5120' },
    ])
  }
})
