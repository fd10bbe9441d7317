import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { startWorkerPool } from '../../src/webhooks/worker-pool.ts'
import { measureDeliveryDelayMs } from '../kit/measure-delivery-delay.ts'

type Job = { group: string; name: string }

const SLOTS = 256
/** The limit of a group before the pool has measured how long its jobs take. */
const INITIAL_LIMIT = 2
/** A longer job no longer counts against the slots of the pool. */
const SLOW_MS = 100
const PER_FETCH = 16
const POLL_INTERVAL_MS = 1_000

const jobs = (group: string, count: number): Job[] =>
  Array.from({ length: count }, (_, index) => ({ group, name: `${group}${index}` }))

/** A pool over a queue in memory. The test decides when each job ends. */
function startPool(queue: Job[], maxPerGroup = 64) {
  const ends = new Map<Job, () => void>()
  const started: Job[] = []
  let fetches = 0
  const pool = startWorkerPool<Job>({
    fetchJobs: async (limit, without) => {
      fetches++
      await turn()
      const fetched = queue.filter(({ group }) => !without.includes(group)).slice(0, limit)
      fetched.forEach((job) => queue.splice(queue.indexOf(job), 1))
      return fetched
    },
    groupOf: ({ group }) => group,
    handleJob: (job) => {
      started.push(job)
      return new Promise((resolve) => ends.set(job, resolve))
    },
    maxPerGroup,
  })
  const inFlight = (group?: string) => [...ends.keys()].filter((job) => !group || job.group === group)
  const finish = (finished: Job[]) => {
    for (const job of finished) {
      ends.get(job)!()
      ends.delete(job)
    }
  }
  return { ...pool, started, inFlight, finish, fetches: () => fetches }
}

/** Runs everything that needs no clock. */
const settle = async () => {
  for (let times = 0; times < 500; times++) await turn()
}

describe('a worker pool', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('a new group has few jobs in flight, and other groups get their turns', async () => {
    const pool = startPool([...jobs('slow', 50), ...jobs('quick', 50)])
    for (let round = 0; round < 30; round++) {
      await settle()
      expect(pool.inFlight('slow').length).toBeLessThanOrEqual(INITIAL_LIMIT)
      pool.finish(pool.inFlight('quick'))
    }
    expect(pool.started.filter(({ group }) => group === 'quick')).toHaveLength(50)
    expect(pool.inFlight('slow')).toHaveLength(INITIAL_LIMIT)
  })

  /** Advances the clock, then ends a part of the jobs in flight. */
  async function pass(pool: ReturnType<typeof startPool>, durationMs: number, part = 1) {
    vi.advanceTimersByTime(durationMs)
    const all = pool.inFlight()
    pool.finish(all.slice(0, Math.ceil(all.length * part)))
    await settle()
  }

  test('a group gets the concurrency that 1,000 jobs per second need, up to its own limit', async () => {
    for (const [most, expected] of [
      [64, 20],
      [4, 4],
    ] as const) {
      const pool = startPool(jobs('distant', 2_000), most)
      await settle()
      for (let round = 0; round < 60; round++) await pass(pool, 20)
      expect(pool.inFlight()).toHaveLength(expected)
    }
  })

  test('many groups with slow jobs leave slots for another group', async () => {
    const queue = Array.from({ length: 10 }, (_, index) => jobs(`slow ${index}`, 200)).flat()
    const pool = startPool(queue)
    await settle()
    for (let round = 0; round < 6; round++) await pass(pool, 10_000, 1 / 2)
    for (let round = 0; round < 20; round++) await pass(pool, SLOW_MS, 0)
    expect([queue.length > 0, pool.inFlight().length > 100]).toEqual([true, true])
    queue.push(...jobs('quick', 1))
    await pass(pool, POLL_INTERVAL_MS, 0)
    await pass(pool, SLOW_MS, 0)
    expect(pool.inFlight('quick')).toHaveLength(1)
  })

  test('there are never more jobs in flight than slots, and every job runs once', async () => {
    const all = Array.from({ length: 200 }, (_, index) => jobs(`group ${index} `, 4)).flat()
    const pool = startPool([...all])
    await settle()
    for (let round = 0; round < 100; round++) await pass(pool, SLOW_MS, 0)
    expect(pool.inFlight()).toHaveLength(SLOTS)
    while (pool.inFlight().length) {
      expect(pool.inFlight().length).toBeLessThanOrEqual(SLOTS)
      await pass(pool, SLOW_MS, 1 / 4)
    }
    expect(pool.started.map(({ name }) => name).toSorted()).toEqual(all.map(({ name }) => name).toSorted())
  })

  test('a queued job is found within a second without a notification, and at once with one', async () => {
    const queue: Job[] = []
    const pool = startPool(queue)
    await settle()
    queue.push(...jobs('late', 1))
    vi.advanceTimersByTime(POLL_INTERVAL_MS)
    await settle()
    expect(pool.started).toHaveLength(1)
    queue.push(...jobs('notified', 1))
    pool.wake()
    await settle()
    expect(pool.started).toHaveLength(2)
  })

  test('a notification during a fetch causes another fetch; without jobs, the pool waits', async () => {
    const pool = startPool([])
    pool.wake()
    await settle()
    expect(pool.fetches()).toBe(2)
  })

  test('after `end`, the pool fetches no more jobs and completes the fetched jobs', async () => {
    const queue = jobs('group', PER_FETCH + 4)
    const pool = startPool(queue)
    await settle()
    const ended = vi.fn()
    void pool.end().then(ended)
    await settle()
    expect(ended).not.toHaveBeenCalled()
    while (pool.inFlight().length) await pass(pool, 1)
    expect([pool.started.length, queue.length, ended.mock.calls.length]).toEqual([PER_FETCH, 4, 1])
  })
})

test('a dead endpoint does not delay other endpoints (long form: stress/deliveries.test.ts)', async () => {
  const service = await startService(inject('postgres'))
  const [dead, good] = [
    { endpoints: 1, events: 80 },
    { endpoints: 2, events: 20 },
  ]
  // If the dead endpoint blocked them, they would wait for its timeout of 15 s. Otherwise they take about 1
  // s.
  expect(await measureDeliveryDelayMs(service, { dead, good, lastingMs: 500 })).toBeLessThan(14_000)
  await service.close()
})
