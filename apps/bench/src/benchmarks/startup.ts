import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { memoryMb } from '../contenders/process-usage.ts'
import type { Section } from '../report/section.ts'
import { runRounds, type Task } from '../rounds.ts'

/** By then the memory that only the start needs has been freed. */
const PAUSE_MS = 3_000

/** A cold start creates the schema in an empty database. A warm start is the second start over it. */
export async function benchStartup({ plan, folder, createDatabase, tiwala }: Bench): Promise<Section> {
  let [dataDir, database] = ['', '']
  const task = (name: string, start: () => Promise<Contender>): Task => ({
    name,
    hasNoWarmUpRound: true,
    measure: async () => {
      const { startMs, pid, stop } = await start()
      await wait(PAUSE_MS)
      const values = { startMs, memoryMb: memoryMb(pid) }
      await stop()
      return values
    },
  })
  const rounds = await runRounds(plan.starts, [
    task('embedded database, cold', async () => {
      dataDir = await mkdtemp(join(folder, 'embedded-'))
      return tiwala.startEmbedded(dataDir)
    }),
    task('PostgreSQL, cold', async () => {
      database = await createDatabase('startup')
      return tiwala.start(database)
    }),
    task('embedded database, warm', () => tiwala.startEmbedded(dataDir)),
    task('PostgreSQL, warm', () => tiwala.start(database)),
  ])
  return {
    ratios: [],
    rounds,
  }
}
