// How much sealing costs those who write: the same work with it and without it, in turns.
import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import { untilSealed } from './audit.ts'
import type { TestService } from './test-service.ts'

/** The advisory lock that whoever seals holds. */
const SEALING = 7_410_201

/** One step of one of several who work at once. */
type Work = (worker: number) => Promise<unknown>

/** Steps in a second. */
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

/** Takes part as one who seals, and does not: nobody else can. */
const withoutSealing = <T>({ db }: TestService, act: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection: Kysely<unknown>) => {
    await vi.waitUntil(
      async () => (await sql<{ ours: boolean }>`select pg_try_advisory_lock(${SEALING}) as ours`.execute(connection)).rows[0]!.ours,
      {
        timeout: 60_000,
        interval: 5,
      },
    )
    return act().finally(() => sql`select pg_advisory_unlock(${SEALING})`.execute(connection))
  })

/** In each round both, now the one first and now the other; what one leaves unsealed is sealed before the next begins. */
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
