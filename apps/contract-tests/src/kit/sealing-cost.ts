// Measures how much sealing slows the writers: the same work with and without sealing, alternately.
import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import { untilSealed } from './audit.ts'
import type { TestService } from './test-service.ts'

/** The advisory lock of the sealer. */
const SEALING_LOCK_KEY = 7_410_201

/** One step of one of several concurrent workers. */
type Work = (worker: number) => Promise<unknown>

/** Steps per second. */
async function rate(work: Work, workers: number, lastsMs: number): Promise<number> {
  const start = performance.now()
  let steps = 0
  async function run(worker: number): Promise<void> {
    while (performance.now() - start < lastsMs) {
      await work(worker)
      steps++
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => run(worker)))
  return (steps * 1000) / (performance.now() - start)
}

/** Holds the lock of the sealer without sealing, so that no process can seal. */
const withoutSealing = <T>({ db }: TestService, act: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection: Kysely<unknown>) => {
    const tryLock = sql<{ is_acquired: boolean }>`
      select pg_try_advisory_lock(${SEALING_LOCK_KEY}) as is_acquired`
    await vi.waitUntil(async () => (await tryLock.execute(connection)).rows[0]!.is_acquired, {
      timeout: 60_000,
      interval: 5,
    })
    return act().finally(() => sql`select pg_advisory_unlock(${SEALING_LOCK_KEY})`.execute(connection))
  })

/** Each round measures both, in alternating order. Before each measurement all events are sealed. */
export async function compareRates(
  service: TestService,
  work: Work,
  { workers, rounds, lastsMs }: { workers: number; rounds: number; lastsMs: number },
) {
  const rates: { sealing: number; not: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const measured = { sealing: 0, not: 0 }
    const turns = ['sealing', 'not'] as const
    for (const turn of round % 2 ? turns.toReversed() : turns) {
      await untilSealed(service.operator)
      const measure = () => rate(work, workers, lastsMs)
      measured[turn] = await (turn === 'sealing' ? measure() : withoutSealing(service, measure))
    }
    rates.push(measured)
  }
  const ratios = rates.map(({ sealing, not }) => sealing / not).toSorted((a, b) => a - b)
  return { rates, ratio: ratios[Math.floor(ratios.length / 2)]! }
}
