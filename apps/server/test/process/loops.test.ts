// The work that runs in the background: how often each part of it runs by itself, and with which setting.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSealer } from '../../src/audit/sealing/sealer.ts'
import { readConfig } from '../../src/config.ts'
import { startHousekeeping } from '../../src/housekeeping/housekeeping.ts'
import type { Service } from '../../src/operation.ts'
import { playBehaviors } from '../../src/sandbox/behaviors.ts'
import { startEndingSandboxes } from '../../src/sandbox/end-sandboxes.ts'
import { withClock } from '../kit/fake-database.ts'

const [SECOND_MS, HALF_MINUTE_MS, HOUR_MS] = [1_000, 30_000, 3_600_000]
const SETTINGS = {
  TIWALA_CODES_KEPT_HOURS: '101',
  TIWALA_RECORDS_KEPT_DAYS: '102',
  TIWALA_EVENTS_KEPT_DAYS: '103',
  TIWALA_DIAGNOSES_KEPT_HOURS: '104',
  TIWALA_SECRET_REMINDER_DAYS: '105',
  TIWALA_REQUESTS_KEPT_DAYS: '106',
  TIWALA_SESSION_IDLE_MINUTES: '14',
}

type Start = (service: Service) => { stop(): Promise<void> }

type Task = [what: string, everyMs: number, start: Start, statement: RegExp, settings?: number[]]

const TASKS: Task[] = [
  ['unsafe settings of PostgreSQL are reported', HALF_MINUTE_MS, startHousekeeping, /fsync|pg_settings/],
  ['pending records expire', SECOND_MS, startHousekeeping, /set state = 'EXPIRED'/],
  ['copies of profiles are erased', SECOND_MS, startHousekeeping, /set snapshot = null/],
  ['QR values are deleted', HOUR_MS, startHousekeeping, /delete from "qr_code"/, [101]],
  ['exchange codes and tokens are deleted', HOUR_MS, startHousekeeping, /delete from "exchange_code"/, [101]],
  [
    'months of the audit are taken out of the default partition',
    HALF_MINUTE_MS,
    startHousekeeping,
    /split_audit_default/,
  ],
  ['partitions of records are dropped', HALF_MINUTE_MS, startHousekeeping, /drop_record_partition/, [102]],
  ['records are deleted', HOUR_MS, startHousekeeping, /delete from "authorization_record_default"/, [102]],
  [
    'old records are deleted',
    HOUR_MS,
    startHousekeeping,
    /delete from "authorization_record_untimed"/,
    [102],
  ],
  ['partitions of requests are dropped', HALF_MINUTE_MS, startHousekeeping, /drop_request_partition/, [106]],
  ['requests are deleted', HOUR_MS, startHousekeeping, /delete from partner_request_default/, [106]],
  ['sessions of members are deleted', HOUR_MS, startHousekeeping, /delete from "member_session"/, [14]],
  ['sessions of operators are deleted', HOUR_MS, startHousekeeping, /delete from "operator_session"/, [14]],
  ['stored responses are deleted', HALF_MINUTE_MS, startHousekeeping, /delete from "idempotent_response"/],
  ['counts of keys are added up', HALF_MINUTE_MS, startHousekeeping, /delete from citizen_key_count/],
  ['partners are watched', HALF_MINUTE_MS, startHousekeeping, /update anomaly_check/],
  ['anomalies are deleted', HOUR_MS, startHousekeeping, /delete from "anomaly"/, [102]],
  [
    'requests to sign in are deleted',
    HOUR_MS,
    startHousekeeping,
    /from "sign_in_request" where expires_at/,
    [101],
  ],
  ['requests that no citizen opened are deleted', HOUR_MS, startHousekeeping, /where citizen_id is null/],
  ['state of OpenID Connect is deleted', HOUR_MS, startHousekeeping, /delete from "oidc/],
  ['events are deleted', HOUR_MS, startHousekeeping, /delete from "callback_event"/, [103]],
  ['counts of requests are deleted', HOUR_MS, startHousekeeping, /delete from "partner_usage"/, [102]],
  ['answers of citizens are counted', HALF_MINUTE_MS, startHousekeeping, /from counted_records/, [360]],
  ['figures are deleted', HOUR_MS, startHousekeeping, /delete from "partner_figure"/],
  ['use of long ago is deleted', HOUR_MS, startHousekeeping, /delete from "partner_use"/, [365]],
  ['changes that waited are deleted', HOUR_MS, startHousekeeping, /delete from "approval"/, [102]],
  ['diagnoses are deleted', HOUR_MS, startHousekeeping, /delete from "diagnosis"/, [104]],
  ['partners are reminded of secrets', HOUR_MS, startHousekeeping, /set reminded_at =/, [105]],
  ['the audit is sealed', SECOND_MS, startSealer, /from audit_checkpoint/],
  ['citizens of sandboxes answer', 300, playBehaviors, /behavior/],
  ['sandboxes end', 60_000, startEndingSandboxes, /from sandbox/],
]

/** They take several statements: their own tests have them. */
const MAKES_PARTITIONS = /make_(record|audit|request)_partition/

test('every statement of housekeeping is one of these tasks', async () => {
  const statements: string[] = []
  const ended = Promise.withResolvers<object[]>()
  const { stop } = startHousekeeping({
    db: withClock(async ({ sql }) => (statements.push(sql), ended.promise)),
    config: { ...readConfig(SETTINGS), databaseUrl: 'postgres://localhost/tiwala' },
    notifications: { onGap: () => () => {} },
  } as unknown as Service)
  const tasks = TASKS.filter(([, , start]) => start === startHousekeeping).map(
    ([, , , statement]) => statement,
  )
  await expect.poll(() => statements.length).toBeGreaterThanOrEqual(tasks.length)
  expect(statements.filter((sql) => ![...tasks, MAKES_PARTITIONS].some((each) => each.test(sql)))).toEqual([])
  ended.resolve([])
  await stop()
})

test.each(TASKS)(
  '%s every %d ms, and again after a failure',
  async (_what, everyMs, start, statement, settings = []) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const runs: unknown[][] = []
    /** The other tasks of housekeeping wait, so that an hour costs no thousands of their runs. */
    const others = Promise.withResolvers<object[]>()
    const onGap: (() => void)[] = []
    const retryMs = start === startHousekeeping ? Math.min(everyMs, HALF_MINUTE_MS) : everyMs
    const { stop } = start({
      db: withClock(async ({ sql, parameters }) => {
        if (!statement.test(sql)) return start === startHousekeeping ? others.promise : []
        runs.push([...parameters])
        if (runs.length === 2) throw new Error('not now')
        return []
      }),
      config: { ...readConfig(SETTINGS), databaseUrl: 'postgres://localhost/tiwala' },
      notifications: { onGap: (listener: () => void) => (onGap.push(listener), () => {}) },
      log: { level: 'silent', warn: () => {} },
    } as unknown as Service)
    const runsAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      for (let turns = 0; turns < 20; turns++) await turn()
      return runs.length
    }
    expect(await runsAfter(0)).toBe(1)
    expect(await runsAfter(everyMs - 1)).toBe(1)
    expect(await runsAfter(1)).toBe(2)
    expect(await runsAfter(retryMs - 1)).toBe(2)
    expect(await runsAfter(1)).toBe(3)
    expect(runs[0]).toEqual(expect.arrayContaining(settings))
    // Notifications may have been missed.
    onGap.forEach((listener) => listener())
    expect(await runsAfter(0)).toBe(3 + onGap.length)
    others.resolve([])
    await stop()
    expect(await runsAfter(2 * everyMs)).toBe(3 + onGap.length)
  },
)

test('settings of PostgreSQL that became unsafe are logged once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let unsafe: object[] = []
  const error = vi.fn<(text: string) => void>()
  const others = Promise.withResolvers<object[]>()
  const { stop } = startHousekeeping({
    db: withClock(async ({ sql }) => (sql.includes('pg_settings') ? unsafe : others.promise)),
    config: { ...readConfig(SETTINGS), databaseUrl: 'postgres://localhost/tiwala' },
    notifications: { onGap: () => () => {} },
    log: { error },
  } as unknown as Service)
  const reportedAfter = async (rows: object[]) => {
    unsafe = rows
    await vi.advanceTimersByTimeAsync(HALF_MINUTE_MS)
    for (let turns = 0; turns < 20; turns++) await turn()
    return error.mock.calls.flat().map((text) => text.replace(/.*: /, ''))
  }
  expect(await reportedAfter([])).toEqual([])
  expect(await reportedAfter([{ name: 'fsync' }])).toEqual(['fsync'])
  expect(await reportedAfter([{ name: 'fsync' }])).toEqual(['fsync'])
  expect(await reportedAfter([])).toEqual(['fsync'])
  expect(await reportedAfter([{ name: 'fsync' }])).toEqual(['fsync', 'fsync'])
  others.resolve([])
  await stop()
})

test.each([
  ['ahead of', HOUR_MS + 1_000],
  ['behind', -HOUR_MS - 1_000],
])(
  'nothing that is old is deleted while the clock of the database is %s that of the process',
  async (_how, aheadMs) => {
    const statements: string[] = []
    const error = vi.fn<(fields: object) => void>()
    const { stop } = startHousekeeping({
      db: withClock(async ({ sql }) => (statements.push(sql), []), aheadMs),
      config: { ...readConfig(SETTINGS), databaseUrl: 'postgres://localhost/tiwala' },
      notifications: { onGap: () => () => {} },
      log: { warn: () => {}, error },
    } as unknown as Service)
    await expect.poll(() => error.mock.calls.length).toBeGreaterThan(15)
    expect(error.mock.calls[0]![0]).toEqual({ ahead_seconds: aheadMs / 1_000 })
    for (let turns = 0; turns < 20; turns++) await turn()
    await stop()
    expect(statements.filter((sql) => /delete from (?!citizen_key_count)|drop_/.test(sql))).toEqual([])
  },
)
