// Each table is renamed under a running server, and the audit is made unwritable. The server fails closed:
// it responds correctly or refuses.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { CACHE_TTL_MS } from '../src/partners/partner-cache.ts'
import { databaseUrlOf } from '../test/kit/database-url.ts'
import {
  expectAll,
  type OperationName,
  PROFILE_OPERATIONS,
  sendPrepared,
  startServiceWithCanary,
} from '../test/kit/disclosing-requests.ts'
import { openDatabaseControl, AUDIT_FAULTS } from './unwritable-audit.ts'

const { service: healthy, canary } = await startServiceWithCanary()
const isUp = async () => (await fetch(`${healthy.url}/readyz`)).status === 200
const control = await openDatabaseControl(await databaseUrlOf(healthy), () =>
  sleep(100).then(() => vi.waitUntil(isUp, { timeout: 5_000 })),
)
afterAll(() => control[Symbol.asyncDispose]())

/** The tables that each operation needs. Without another table, an operation may succeed or be refused. */
const NEEDED: Record<string, readonly OperationName[]> = {
  audit_event: PROFILE_OPERATIONS,
  citizen: PROFILE_OPERATIONS,
  clock: PROFILE_OPERATIONS,
  partner: PROFILE_OPERATIONS,
  credential: ['inquire', 'profileByQr', 'generateToken'],
  authorization_record: ['inquire', 'profileByQr'],
  qr_code: ['profileByQr'],
  exchange_code: ['generateToken'],
  access_token: ['generateToken', 'authenticate'],
  installation: ['profileByQr', 'generateToken', 'authenticate'],
}
/** Tables for which no request waits. */
const BACKGROUND_TABLES = new Set([
  'audit_checkpoint',
  'audit_leaf',
  'diagnosis',
  'dispute',
  'webhook_secret',
  'callback_endpoint',
])
const REFUSED_OR_RIGHT = expect.stringMatching(/^(refused|right)$/)

/**
 * Sends all requests while the fault exists, then sends the refused requests again after the fault is
 * reverted.
 */
async function runWithFault(apply: () => Promise<unknown>, revert: () => Promise<unknown>) {
  const prepared = await canary.prepare()
  const before = await control.count('audit_event')
  await apply()
  // An authenticated partner stays in the cache for a moment.
  await sleep(CACHE_TTL_MS + 50)
  const duringFault = await sendPrepared(canary.api, prepared).finally(revert)
  const succeeded = PROFILE_OPERATIONS.filter((name) => duringFault[name]!.verdict === 'right')
  const refused = PROFILE_OPERATIONS.filter((name) => !succeeded.includes(name))
  const recorded = (await control.count('audit_event')) - before
  return {
    duringFault,
    refused,
    unrecorded: succeeded.length - recorded,
    afterRevert: await sendPrepared(canary.api, prepared, refused),
  }
}

describe('a table is missing', () => {
  test('200, 500: for each table, operations that need it are refused, and nothing is used up', async () => {
    const tables = await control.namesOf(
      "select tablename as name from pg_tables where schemaname = 'public'",
    )
    expect(Object.keys(NEEDED).filter((table) => !tables.includes(table))).toEqual([])
    for (const table of tables) {
      const renameTable = `alter table ${table} rename to gone`
      const { duringFault, refused, unrecorded, afterRevert } = await runWithFault(
        () => control.sql(renameTable),
        () => control.sql(`alter table gone rename to ${table}`),
      )
      const statuses = Object.values(duringFault).map(({ status }) => status)
      expect([table, duringFault]).toEqual([
        table,
        Object.fromEntries(
          PROFILE_OPERATIONS.map((name) => [name, { verdict: REFUSED_OR_RIGHT, status: expect.any(Number) }]),
        ),
      ])
      expect([table, statuses.filter((status) => status !== 200 && status < 500)]).toEqual([table, []])
      expect([table, refused]).toEqual([table, expect.arrayContaining([...(NEEDED[table] ?? [])])])
      expect([table, BACKGROUND_TABLES.has(table) ? refused : []]).toEqual([table, []])
      // Nothing was disclosed without its audit event, and nothing was used up.
      expect([table, unrecorded, afterRevert]).toEqual([table, 0, expectAll('right', refused)])
    }
  })

  test.each(['clock_now()', 'current_epoch()'])(
    '500: without %s, operations that need it are refused, and nothing is used up',
    async (name) => {
      const { refused, unrecorded, afterRevert } = await runWithFault(
        () => control.sql(`alter function ${name} rename to gone`),
        () => control.sql(`alter function gone() rename to ${name.replace('()', '')}`),
      )
      expect(refused).toEqual(expect.arrayContaining(['profileByQr', 'generateToken', 'authenticate']))
      expect([unrecorded, afterRevert]).toEqual([0, expectAll('right', refused)])
    },
  )
})

describe('no audit, no disclosure', () => {
  test.each(AUDIT_FAULTS)(
    '$how: every request is refused, and nothing is used up',
    async ({ apply, revert }) => {
      const { duringFault, afterRevert } = await runWithFault(
        () => apply(control),
        () => revert(control),
      )
      expect(duringFault).toEqual(expectAll('refused'))
      expect(afterRevert).toEqual(expectAll('right'))
    },
  )

  test('200: control: without a fault, every request succeeds and is recorded', async () => {
    const { duringFault, unrecorded } = await runWithFault(
      async () => {},
      async () => {},
    )
    expect([duringFault, unrecorded]).toEqual([expectAll('right'), 0])
  })
})
