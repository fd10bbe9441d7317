// Many inquiries that wait at the same time, each for its own record.
import { setTimeout as sleep } from 'node:timers/promises'
import { DefaultQueryExecutor } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestService } from './test-service.ts'

/** The number of requests in flight while the test starts or accepts many records. */
const AT_ONCE = 32
const CITIZENS = 20

type WaitingInquiries = Awaited<ReturnType<typeof startWaitingInquiries>>

/** Runs `act` the given number of times, with at most `AT_ONCE` in flight. */
async function manyTimes<T>(times: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < times; index = next++) results[index] = await act(index)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

/** Records the statements of this process on all connections. */
const spyOnStatements = () => vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')

/**
 * The number of inquiries in the statements. One statement reads many records; a list in its parameters names each
 * of them.
 */
const countInquiries = ({ mock }: ReturnType<typeof spyOnStatements>, trackingNos: Set<unknown>): number =>
  mock.calls
    .flatMap(([{ parameters }]) => parameters.filter(Array.isArray).flat())
    .filter((value) => trackingNos.has(value)).length

/**
 * Creates `size` records of a few citizens, and a waiting inquiry of one partner for each. Returns when all
 * of them have read once and wait.
 */
export async function startWaitingInquiries(service: TestService, size: number, waitSeconds: number) {
  const { profiles } = await service.partner()
  const citizens = await manyTimes(CITIZENS, () => service.citizen())
  const records = await manyTimes(size, async (index) => {
    const citizen = citizens[index % CITIZENS]!
    const { tracking_no } = (await profiles.requestAuthorization(await citizen.showQr())).record
    return { accept: () => citizen.accept(tracking_no), tracking_no }
  })
  const trackingNos = new Set<unknown>(records.map(({ tracking_no }) => tracking_no))
  using sent = spyOnStatements()
  const ended = (state: string) => ({ state, atMs: performance.now() })
  const waiters = await manyTimes(size, async (index) => {
    const { accept, tracking_no } = records[index]!
    const pendingResponse = profiles.inquire(tracking_no, { waitSeconds }).then(
      ({ state }) => ended(state),
      (error: Error) => ended(error.message),
    )
    await vi.waitUntil(() => service.waiting() > index - AT_ONCE, { timeout: 60_000, interval: 1 })
    return { accept, pendingResponse }
  })
  await vi.waitUntil(() => service.waiting() === size, { timeout: 60_000, interval: 1 })
  // Each inquiry reads once before it waits. This also proves that the spy sees inquiries.
  await vi.waitFor(() => expect(countInquiries(sent, trackingNos)).toBe(size), {
    timeout: 60_000,
    interval: 10,
  })
  return { waiters, trackingNos }
}

/** Counts, during `forMs`, all statements and those that read a record of the waiting inquiries. */
export async function countStatements(
  forMs: number,
  inquiries?: WaitingInquiries,
): Promise<{ statements: number; inquiries: number }> {
  using sent = spyOnStatements()
  await sleep(forMs)
  return {
    statements: sent.mock.calls.length,
    inquiries: countInquiries(sent, inquiries?.trackingNos ?? new Set()),
  }
}

/**
 * Accepts every record. Returns the states of the inquiries that did not end as accepted, and the longest
 * time from an acceptance to its response.
 */
export async function acceptAll({
  waiters,
}: WaitingInquiries): Promise<{ notAccepted: string[]; longestMs: number }> {
  const waits = await manyTimes(waiters.length, async (index) => {
    const { accept, pendingResponse } = waiters[index]!
    await accept()
    const acceptedAtMs = performance.now()
    return pendingResponse.then(({ state, atMs }) => ({ state, tookMs: atMs - acceptedAtMs }))
  })
  return {
    notAccepted: waits.filter(({ state }) => state !== 'ACCEPTED').map(({ state }) => state),
    longestMs: Math.max(...waits.map(({ tookMs }) => tookMs)),
  }
}
