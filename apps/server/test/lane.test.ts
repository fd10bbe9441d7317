import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { startLane } from '../src/callbacks/lane.ts'
import { startService } from '../src/testing.ts'
import { delayMsBeside } from './delivery-isolation.ts'

type Job = { group: string; name: string }

const HANDS = 64
/** Four, and as many as may come with the fourth. */
const MOST_OF_A_GROUP = 7
const LOOK_EVERY_MS = 1_000

const jobs = (group: string, count: number): Job[] => Array.from({ length: count }, (_, index) => ({ group, name: `${group}${index}` }))

/** A lane over a queue in memory, whose jobs take until they are told to end. */
function laneOver(queue: Job[]) {
  const ends = new Map<Job, () => void>()
  const begun: Job[] = []
  let fetches = 0
  const lane = startLane<Job>({
    fetch: async (limit, without) => {
      fetches++
      await turn()
      const taken = queue.filter(({ group }) => !without.includes(group)).slice(0, limit)
      taken.forEach((job) => queue.splice(queue.indexOf(job), 1))
      return taken
    },
    groupOf: ({ group }) => group,
    handle: (job) => {
      begun.push(job)
      return new Promise((resolve) => ends.set(job, resolve))
    },
  })
  const underWay = (group?: string) => [...ends.keys()].filter((job) => !group || job.group === group)
  const finish = (finished: Job[]) => {
    for (const job of finished) {
      ends.get(job)!()
      ends.delete(job)
    }
  }
  return { ...lane, begun, underWay, finish, fetches: () => fetches }
}

/** Lets everything happen that needs no clock. */
const settle = async () => {
  for (let times = 0; times < 500; times++) await turn()
}

describe('a lane', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('of one group, few jobs at once: the others have the hands that it would take', async () => {
    const lane = laneOver([...jobs('slow', 50), ...jobs('quick', 50)])
    for (let round = 0; round < 30; round++) {
      await settle()
      expect(lane.underWay('slow').length).toBeLessThanOrEqual(MOST_OF_A_GROUP)
      lane.finish(lane.underWay('quick'))
    }
    expect(lane.begun.filter(({ group }) => group === 'quick')).toHaveLength(50)
    expect(lane.underWay('slow').length).toBeGreaterThan(0)
  })

  test('of all groups together, never more than there are hands; in the end every job once', async () => {
    const all = Array.from({ length: 40 }, (_, index) => jobs(`group ${index} `, 4)).flat()
    const lane = laneOver([...all])
    await settle()
    expect(lane.underWay()).toHaveLength(HANDS)
    while (lane.underWay().length) {
      expect(lane.underWay().length).toBeLessThanOrEqual(HANDS)
      lane.finish(lane.underWay().slice(0, 10))
      await settle()
    }
    expect(lane.begun.map(({ name }) => name).toSorted()).toEqual(all.map(({ name }) => name).toSorted())
  })

  test('what is queued is found within a second without being told, and at once when told', async () => {
    const queue: Job[] = []
    const lane = laneOver(queue)
    await settle()
    queue.push(...jobs('late', 1))
    vi.advanceTimersByTime(LOOK_EVERY_MS)
    await settle()
    expect(lane.begun).toHaveLength(1)
    queue.push(...jobs('told', 1))
    lane.wake()
    await settle()
    expect(lane.begun).toHaveLength(2)
  })

  test('told while it looks, it looks again; with nothing to do, it rests', async () => {
    const lane = laneOver([])
    lane.wake()
    await settle()
    expect(lane.fetches()).toBe(2)
  })

  test('at the end it begins nothing more, and waits for what is under way', async () => {
    const lane = laneOver(jobs('group', 20))
    await settle()
    const [begun, ended] = [lane.underWay(), vi.fn()]
    void lane.end().then(ended)
    await settle()
    expect([lane.begun.length, ended.mock.calls.length]).toEqual([begun.length, 0])
    lane.finish(begun)
    await settle()
    expect([lane.begun.length, ended.mock.calls.length]).toEqual([begun.length, 1])
  })
})

test('a dead endpoint with events waiting delays nobody else (in short; stress/deliveries.test.ts is the long form)', async () => {
  const service = await startService(inject('postgres'))
  const [dead, good] = [
    { endpoints: 1, events: 80 },
    { endpoints: 2, events: 20 },
  ]
  // Held up, they would wait for the time-out of 15 seconds; otherwise about one, until the events are looked for.
  expect(await delayMsBeside(service, { dead, good, lastingMs: 500 })).toBeLessThan(5_000)
  await service.close()
})
