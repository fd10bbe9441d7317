import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { startDeliveryPool } from '../../src/webhooks/delivery-pool.ts'
import { measureDeliveryDelayMs } from '../kit/measure-delivery-delay.ts'

type Event = { partner_id: number; name: string }

const MAX_CLAIMED = 256
/** The limit of an endpoint while no attempt at it has ended. */
const INITIAL_LIMIT = 2
/** After this time, an attempt no longer delays the start of others. */
const SLOW_MS = 100
const PER_CLAIM = 16
const POLL_INTERVAL_MS = 1_000

const eventsOf = (partner_id: number, count: number): Event[] =>
  Array.from({ length: count }, (_, index) => ({ partner_id, name: `${partner_id} ${index}` }))

/** A pool over events in memory, which are claimed as the statement does. The test decides when each attempt ends. */
function startPool(due: Event[], maxPerEndpoint = 64) {
  const ends = new Map<Event, () => void>()
  const started: Event[] = []
  let claims = 0
  let claimed = 0
  let mostClaimed = 0
  const pool = startDeliveryPool<Event>({
    claim: async ({ afterPartnerId, limit, perPartner, remaining }) => {
      claims++
      await turn()
      const events = Map.groupBy(
        due.filter(({ partner_id }) => partner_id > afterPartnerId),
        ({ partner_id }) => partner_id,
      )
      const found = [...events]
        .toSorted(([a], [b]) => a - b)
        .flatMap(([partnerId, all]) => all.slice(0, remaining.get(partnerId) ?? perPartner))
        .slice(0, limit)
      found.forEach((event) => due.splice(due.indexOf(event), 1))
      claimed += found.length
      mostClaimed = Math.max(mostClaimed, claimed)
      return found
    },
    attempt: (event) => {
      started.push(event)
      return new Promise((resolve) => ends.set(event, resolve))
    },
    maxPerEndpoint,
  })
  const inFlight = (partnerId?: number) =>
    [...ends.keys()].filter(({ partner_id }) => partnerId === undefined || partner_id === partnerId)
  const finish = (finished: Event[]) => {
    for (const event of finished) {
      ends.get(event)!()
      ends.delete(event)
      claimed--
    }
  }
  return { ...pool, started, inFlight, finish, claims: () => claims, mostClaimed: () => mostClaimed }
}

/** Runs everything that needs no clock. */
const settle = async () => {
  for (let times = 0; times < 500; times++) await turn()
}

describe('a delivery pool', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  /** Advances the clock, then ends a part of the attempts in flight. */
  async function pass(pool: ReturnType<typeof startPool>, durationMs: number, part = 1) {
    vi.advanceTimersByTime(durationMs)
    const all = pool.inFlight()
    pool.finish(all.slice(0, Math.ceil(all.length * part)))
    await settle()
  }

  test('a new endpoint has few attempts in flight, and other endpoints get their turns', async () => {
    const [silent, quick] = [1, 2]
    const pool = startPool([...eventsOf(silent, 50), ...eventsOf(quick, 50)])
    for (let round = 0; round < 60; round++) {
      await settle()
      expect(pool.inFlight(silent).length).toBeLessThanOrEqual(INITIAL_LIMIT)
      pool.finish(pool.inFlight(quick))
    }
    expect(pool.started.filter(({ partner_id }) => partner_id === quick)).toHaveLength(50)
    expect(pool.inFlight(silent)).toHaveLength(INITIAL_LIMIT)
  })

  test('attempts in flight are as many as 1,000 per second need, up to the limit of the endpoint', async () => {
    for (const [durationMs, maxPerEndpoint, expected] of [
      [2, 64, 4],
      [20, 64, 20],
      [20, 4, 4],
    ] as const) {
      const pool = startPool(eventsOf(1, 3_000), maxPerEndpoint)
      await settle()
      for (let round = 0; round < 100; round++) await pass(pool, durationMs)
      expect(pool.inFlight()).toHaveLength(expected)
    }
  })

  test('many endpoints with slow attempts leave events to another endpoint', async () => {
    const due = Array.from({ length: 10 }, (_, index) => eventsOf(index + 1, 200)).flat()
    const pool = startPool(due)
    await settle()
    for (let round = 0; round < 6; round++) await pass(pool, 10_000, 1 / 2)
    for (let round = 0; round < 60; round++) await pass(pool, SLOW_MS, 0)
    expect([due.length > 0, pool.inFlight().length > 100]).toEqual([true, true])
    due.push(...eventsOf(11, 1))
    await pass(pool, POLL_INTERVAL_MS, 0)
    await pass(pool, SLOW_MS, 0)
    expect(pool.inFlight(11)).toHaveLength(1)
  })

  test('claimed events are bounded, and each is attempted once', async () => {
    const all = Array.from({ length: 200 }, (_, index) => eventsOf(index + 1, 4)).flat()
    const pool = startPool([...all])
    await settle()
    for (let round = 0; round < 100; round++) await pass(pool, SLOW_MS, 0)
    expect(pool.inFlight()).toHaveLength(MAX_CLAIMED)
    while (pool.inFlight().length) await pass(pool, SLOW_MS, 1 / 4)
    expect(pool.mostClaimed()).toBe(MAX_CLAIMED)
    expect(pool.started.map(({ name }) => name).toSorted()).toEqual(all.map(({ name }) => name).toSorted())
  })

  test('a due event is found within a second without a notification, and at once with one', async () => {
    const due: Event[] = []
    const pool = startPool(due)
    await settle()
    due.push(...eventsOf(1, 1))
    vi.advanceTimersByTime(POLL_INTERVAL_MS)
    await settle()
    expect(pool.started).toHaveLength(1)
    due.push(...eventsOf(2, 1))
    pool.wake()
    await settle()
    expect(pool.started).toHaveLength(2)
  })

  test('a notification during a claim causes another claim; without events, the pool waits', async () => {
    const pool = startPool([])
    pool.wake()
    await settle()
    expect(pool.claims()).toBe(2)
  })

  test('after `end`, the pool claims no more events and attempts the claimed events', async () => {
    const due = Array.from({ length: PER_CLAIM + 4 }, (_, index) => eventsOf(index + 1, 1)).flat()
    const pool = startPool(due)
    const ended = vi.fn()
    const isEnded = pool.end().then(ended)
    await settle()
    while (pool.inFlight().length) {
      expect(ended).not.toHaveBeenCalled()
      await pass(pool, 1)
    }
    await isEnded
    expect([pool.started.length, due.length]).toEqual([PER_CLAIM, 4])
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
