// Many inquiries that wait at once, each for its own record.
import { setTimeout as sleep } from 'node:timers/promises'
import { DefaultQueryExecutor } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestService } from './test-service.ts'

/** A crowd comes and answers one after the other, not in one instant. */
const AT_ONCE = 32
const CITIZENS = 20

type WaitingInquiries = Awaited<ReturnType<typeof startWaitingInquiries>>

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

/** What this process sends to its databases, over whichever connection. */
const spyOnStatements = () => vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')

/** Many inquiries go in one statement: whatever its text is, it names the record of each. */
const countInquiries = ({ mock }: ReturnType<typeof spyOnStatements>, trackingNos: Set<unknown>): number =>
  mock.calls.flatMap(([{ parameters }]) => parameters.flat()).filter((value) => trackingNos.has(value)).length

/** So many requests, put to a few citizens, and a partner who waits for each of them; returns when all have looked, and wait. */
export async function startWaitingInquiries(service: TestService, size: number, waitSeconds: number) {
  const { profiles } = await service.partner()
  const citizens = await manyTimes(CITIZENS, () => service.citizen())
  const asked = await manyTimes(size, async (index) => {
    const citizen = citizens[index % CITIZENS]!
    const { tracking_no } = (await profiles.requestAuthorization(await citizen.showQr())).record
    return { accept: () => citizen.accept(tracking_no), tracking_no }
  })
  const trackingNos = new Set<unknown>(asked.map(({ tracking_no }) => tracking_no))
  using sent = spyOnStatements()
  const answered = (state: string) => ({ state, atMs: performance.now() })
  const waiters = await manyTimes(size, async (index) => {
    const { accept, tracking_no } = asked[index]!
    const answer = profiles.inquire(tracking_no, { waitSeconds }).then(
      ({ state }) => answered(state),
      (error: Error) => answered(error.message),
    )
    await vi.waitUntil(() => service.waiting() > index - AT_ONCE, { timeout: 60_000, interval: 1 })
    return { accept, answer }
  })
  await vi.waitUntil(() => service.waiting() === size, { timeout: 60_000, interval: 1 })
  // Each looks once before it waits. A control, too: none seen while they wait means none only where these are seen.
  await vi.waitFor(() => expect(countInquiries(sent, trackingNos)).toBe(size), { timeout: 60_000, interval: 10 })
  return { waiters, trackingNos }
}

/** What is asked in a while from now: statements in all, and inquiries after a record of the crowd's. */
export async function countStatements(forMs: number, inquiries?: WaitingInquiries): Promise<{ statements: number; inquiries: number }> {
  using sent = spyOnStatements()
  await sleep(forMs)
  return { statements: sent.mock.calls.length, inquiries: countInquiries(sent, inquiries?.trackingNos ?? new Set()) }
}

/** Everything is accepted; tells what those were told who waited in vain, and the longest time from a citizen's answer to the partner's. */
export async function acceptAll({ waiters }: WaitingInquiries): Promise<{ notAccepted: string[]; longestMs: number }> {
  const waits = await manyTimes(waiters.length, async (index) => {
    const { accept, answer } = waiters[index]!
    await accept()
    const acceptedAtMs = performance.now()
    return answer.then(({ state, atMs }) => ({ state, tookMs: atMs - acceptedAtMs }))
  })
  return {
    notAccepted: waits.filter(({ state }) => state !== 'ACCEPTED').map(({ state }) => state),
    longestMs: Math.max(...waits.map(({ tookMs }) => tookMs)),
  }
}
