import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { startWorkerPool } from '../../src/webhooks/worker-pool.ts'
import { measureDeliveryDelayMs } from '../kit/measure-delivery-delay.ts'

type Job = { group: string; name: string }

const SLOTS = 256
/** Of a group, before the pool knows how long its jobs take. */
const INITIAL_LIMIT = 2
/** A job that takes longer no longer counts for the pool. */
const SLOW_MS = 100
const PER_FETCH = 16
const POLL_INTERVAL_MS = 1_000

const jobs = (group: string, count: number): Job[] => Array.from({ length: count }, (_, index) => ({ group, name: `${group}${index}` }))

/** A pool over a queue in memory, whose jobs take until the test finishes them. */
function startPool(queue: Job[], maxPerGroup = 64) {
  const ends = new Map<Job, () => void>()
  const started: Job[] = []
  let fetches = 0
  const pool = startWorkerPool<Job>({
    fetch: async (limit, without) => {
      fetches++
      await turn()
      const taken = queue.filter(({ group }) => !without.includes(group)).slice(0, limit)
      taken.forEach((job) => queue.splice(queue.indexOf(job), 1))
      return taken
    },
    groupOf: ({ group }) => group,
    handle: (job) => {
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

/** Lets everything happen that needs no clock. */
const settle = async () => {
  for (let times = 0; times < 500; times++) await turn()
}

describe('a pool', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('a group has few jobs in flight at first, and the others get their turns', async () => {
    const pool = startPool([...jobs('slow', 50), ...jobs('quick', 50)])
    for (let round = 0; round < 30; round++) {
      await settle()
      expect(pool.inFlight('slow').length).toBeLessThanOrEqual(INITIAL_LIMIT)
      pool.finish(pool.inFlight('quick'))
    }
    expect(pool.started.filter(({ group }) => group === 'quick')).toHaveLength(50)
    expect(pool.inFlight('slow')).toHaveLength(INITIAL_LIMIT)
  })

  /** Time passes for what is in flight, and that part of it ends. */
  async function pass(pool: ReturnType<typeof startPool>, durationMs: number, part = 1) {
    vi.advanceTimersByTime(durationMs)
    const all = pool.inFlight()
    pool.finish(all.slice(0, Math.ceil(all.length * part)))
    await settle()
  }

  test('a group has as many jobs in flight as 1,000 a second need, unless it is held to fewer', async () => {
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

  test('many groups of slow jobs leave slots for another one', async () => {
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

  test('of all groups together, never more jobs than there are slots; in the end every job once', async () => {
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

  test('what is queued is found within a second without being told, and at once when told', async () => {
    const queue: Job[] = []
    const pool = startPool(queue)
    await settle()
    queue.push(...jobs('late', 1))
    vi.advanceTimersByTime(POLL_INTERVAL_MS)
    await settle()
    expect(pool.started).toHaveLength(1)
    queue.push(...jobs('told', 1))
    pool.wake()
    await settle()
    expect(pool.started).toHaveLength(2)
  })

  test('told while it looks, it looks again; with nothing to do, it rests', async () => {
    const pool = startPool([])
    pool.wake()
    await settle()
    expect(pool.fetches()).toBe(2)
  })

  test('at the end it fetches nothing more, and handles what it has fetched', async () => {
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

test('a dead endpoint with events waiting delays nobody else (in short; stress/deliveries.test.ts is the long form)', async () => {
  const service = await startService(inject('postgres'))
  const [dead, good] = [
    { endpoints: 1, events: 80 },
    { endpoints: 2, events: 20 },
  ]
  // Held up, they would wait for the time-out of 15 seconds; otherwise about one, until the events are looked for.
  expect(await measureDeliveryDelayMs(service, { dead, good, lastingMs: 500 })).toBeLessThan(14_000)
  await service.close()
})
