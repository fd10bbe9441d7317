// The connections of a process: how many each purpose has, how long each waits, and that all are closed.
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { connectPostgres } from '../../src/database/connect.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'
import { fakeTimeOuts, until } from '../kit/fake-time-outs.ts'
import { temporaryDatabase } from '../kit/temporary-resources.ts'

const REQUEST_MS = 1_200
const ignore = () => {}

const open = (url: string) => connectPostgres(url, ignore, REQUEST_MS, { replicaUrl: url })

/** After how much time each of these ends. Throws if one does not end at one of these times. */
async function endTimesOf(acts: Record<string, Promise<unknown>>, timesMs: number[]) {
  const endedAtMs: Record<string, number> = {}
  let nowMs = 0
  for (const [name, act] of Object.entries(acts)) {
    const end = () => (endedAtMs[name] = nowMs)
    void act.then(end, end)
  }
  for (const [index, timeMs] of timesMs.entries()) {
    if (timeMs > nowMs) {
      await vi.advanceTimersByTimeAsync(timeMs - 1 - nowMs)
      for (let turns = 0; turns < 10; turns++) await turn()
      nowMs = timeMs
      await vi.advanceTimersByTimeAsync(1)
    }
    await until(() => Object.keys(endedAtMs).length > index)
  }
  return endedAtMs
}

test('a server that accepts connections and stays silent: each purpose has its connections and time-outs', async () => {
  const settings: Record<string, string>[] = []
  await using silent = await startConnectionCounter((socket) =>
    socket.once('data', (startup: Buffer) => {
      const purpose = /application_name\0tiwala-(\w+)/.exec(String(startup))![1]!
      const limits = /statement_timeout=(\d+) -c lock_timeout=(\d+)/.exec(String(startup))!.slice(1)
      settings.push({ purpose, limits: limits.join() })
    }),
  )
  fakeTimeOuts()
  const database = open(`postgres://tiwala@127.0.0.1:${silent.port}/tiwala`)
  const { db, background, longRunning, unbounded: migrations, replica } = database
  const pools = { requests: db, background, longRunning, migrations, replica: replica! }
  // More than any of them has.
  const acts = Object.entries(pools).map(([purpose, pool]) => [
    purpose,
    Promise.allSettled(Array.from({ length: 30 }, () => sql`select 1`.execute(pool))),
  ])
  const listening = database.listen('any', ignore, ignore, ignore)
  const probes = Promise.all([database.isUp(), database.isUp()])
  await until(() => settings.length >= 33)
  expect(
    Object.fromEntries(
      [...Map.groupBy(settings, ({ purpose }) => purpose!)].map(([purpose, ofPurpose]) => [
        purpose,
        `${ofPurpose.length} connections, statement and lock time-out ${ofPurpose[0]!['limits']}`,
      ]),
    ),
  ).toEqual({
    requests: '20 connections, statement and lock time-out 1200,300',
    background: '4 connections, statement and lock time-out 2000,250',
    longRunning: '3 connections, statement and lock time-out 2000,250',
    migrations: '1 connections, statement and lock time-out 2000,250',
    replica: '3 connections, statement and lock time-out 2000,250',
    probe: '1 connections, statement and lock time-out 500,250',
    listen: '1 connections, statement and lock time-out 2000,0',
  })
  expect(
    await endTimesOf(
      { ...(Object.fromEntries(acts) as Record<string, Promise<unknown>>), probes, listening },
      [500, REQUEST_MS, 2_000, 2_000, 2_000, 2_000, 10_000],
    ),
  ).toEqual({
    probes: 500,
    requests: REQUEST_MS,
    background: 2_000,
    longRunning: 2_000,
    replica: 2_000,
    listening: 2_000,
    migrations: 10_000,
  })
  // A freed place was taken by a statement whose time was over at the same moment.
  await vi.advanceTimersByTimeAsync(10_000)
  await database.close()
  vi.useRealTimers()
  for (const pool of Object.values(pools))
    await expect(sql`select 1`.execute(pool)).rejects.toThrow('driver has already been destroyed')
  expect(await database.isUp()).toBe(false)
})

test('a statement without a response ends with its connection, later than PostgreSQL would cancel it', async () => {
  await using target = await temporaryDatabase()
  const { close, ...database } = open(target.url)
  const { db: requests, background, longRunning, replica } = database
  const acts = await Promise.all(
    Object.entries({ requests, background, longRunning, replica: replica! }).map(async ([purpose, pool]) => {
      const tx = await pool.startTransaction().execute()
      await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
      return { purpose, tx }
    }),
  )
  fakeTimeOuts()
  const sleeps = acts.map(({ purpose, tx }) => [purpose, sql`select pg_sleep(60)`.execute(tx)] as const)
  await until(() => vi.getTimerCount() >= sleeps.length)
  expect(await endTimesOf(Object.fromEntries(sleeps), [REQUEST_MS + 100, 2_100, 2_100, 90_000])).toEqual({
    requests: REQUEST_MS + 100,
    background: 2_100,
    replica: 2_100,
    longRunning: 90_000,
  })
  await Promise.allSettled(acts.map(({ tx }) => tx.rollback().execute()))
  await close()
})
