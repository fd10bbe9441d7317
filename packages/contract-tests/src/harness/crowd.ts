// Many inquiries that wait at once, each for its own record.
import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import type { World } from './world.ts'

/** A crowd comes and answers one after the other, not in one instant. */
const AT_ONCE = 32
const CITIZENS = 20

type Crowd = Awaited<ReturnType<typeof gather>>

/** Does something so many times, a few at once. */
async function manyTimes<T>(times: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < times; index = next++) results[index] = await act(index)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

/** So many requests, put to a few citizens, and a partner who waits for each of them; returns when all wait. */
export async function gather(world: World, size: number, waitSeconds: number) {
  const { profiles } = await world.partner()
  const citizens = await manyTimes(CITIZENS, () => world.citizen())
  const asked = await manyTimes(size, async (index) => {
    const citizen = citizens[index % CITIZENS]!
    const { tracking_no } = (await profiles.requestAuthorization(await citizen.showQr())).record
    return { accept: () => citizen.accept(tracking_no), tracking_no }
  })
  const answered = (state: string) => ({ state, atMs: performance.now() })
  const crowd = await manyTimes(size, async (index) => {
    const { accept, tracking_no } = asked[index]!
    const answer = profiles.inquire(tracking_no, { waitSeconds }).then(
      ({ state }) => answered(state),
      (error: Error) => answered(error.message),
    )
    await vi.waitUntil(() => world.waiting() > index - AT_ONCE, { timeout: 5_000, interval: 1 })
    return { accept, answer }
  })
  await vi.waitUntil(() => world.waiting() === size, { timeout: 5_000, interval: 1 })
  // Each looks once before it waits.
  for (let looks = 0; looks < 20 && (await statementsWithin(world, 200)).ofOneRecord; looks++);
  return crowd
}

/** The statements that the server sends in a while: how many in all, and those that read one record. */
export async function statementsWithin(world: World, forMs: number): Promise<{ all: number; ofOneRecord: number }> {
  const sent = vi.spyOn(world.db.getExecutor(), 'executeQuery')
  await sleep(forMs)
  const texts = sent.mock.calls.map(([{ sql }]) => sql)
  sent.mockRestore()
  return { all: texts.length, ofOneRecord: texts.filter((text) => /authorization_record[^]*tracking_no = \$/.test(text)).length }
}

/** Everything is accepted; tells what those were told who waited in vain, and the longest time from a citizen's answer to the partner's. */
export async function acceptAll(crowd: Crowd): Promise<{ inVain: string[]; longestMs: number }> {
  const waits = await manyTimes(crowd.length, async (index) => {
    const { accept, answer } = crowd[index]!
    await accept()
    const acceptedAtMs = performance.now()
    return answer.then(({ state, atMs }) => ({ state, tookMs: atMs - acceptedAtMs }))
  })
  return {
    inVain: waits.filter(({ state }) => state !== 'ACCEPTED').map(({ state }) => state),
    longestMs: Math.max(...waits.map(({ tookMs }) => tookMs)),
  }
}
