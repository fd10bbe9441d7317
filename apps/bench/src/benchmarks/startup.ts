import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { memoryOf } from '../contenders/resource-usage.ts'
import { startEmbedded } from '../contenders/tiwala.ts'
import { createDatabase } from '../postgres/databases.ts'
import { median } from '../report/median.ts'
import type { Section } from '../report/section.ts'
import { log } from '../log.ts'

/** Until what the start has left behind is cleared away. */
const REST_MS = 3_000

type Seen = { startMs: number; memoryMb: number | undefined }

/** Cold: over nothing, so that the schema is made; warm: the second time over the same. */
export async function benchStartup({ plan, folder, postgres, startTiwala }: Bench): Promise<Section> {
  log('Start-up, and memory at rest')
  const seen: Record<string, Seen[]> = {}
  const look = async (name: string, start: () => Promise<Contender>) => {
    const contender = await start()
    await wait(REST_MS)
    const { startMs, pid } = contender
    ;(seen[name] ??= []).push({ startMs, memoryMb: memoryOf(pid) })
    log(`  ${name}: ${Math.round(startMs)} ms, ${memoryOf(pid)} MB`)
    await contender.stop()
  }
  for (let round = 0; round < plan.starts; round++) {
    const dataDir = await mkdtemp(join(folder, 'embedded-'))
    const database = await createDatabase(postgres.url, `startup_${round}`)
    for (const how of ['cold', 'warm']) {
      await look(`embedded, ${how}`, () => startEmbedded(dataDir, folder))
      await look(`PostgreSQL, ${how}`, () => startTiwala(database, { name: 'startup' }))
    }
  }
  const figures = Object.entries(seen).map(([name, starts]) => ({
    name,
    startMs: median(starts.map(({ startMs }) => startMs)),
    memoryMb: median(starts.map(({ memoryMb }) => memoryMb ?? 0)) || undefined,
  }))
  const barsOf = (pick: (figure: (typeof figures)[number]) => number | undefined) =>
    figures.flatMap((figure) => (pick(figure) === undefined ? [] : [{ name: figure.name, value: pick(figure)! }]))
  return {
    part: 'startup',
    title: 'Start-up, and memory at rest',
    how: 'From the start of the process until `/readyz` answers 200; memory (RSS) three seconds later.',
    ratios: [],
    figures,
    notes: [],
    pictures: [
      { file: 'startup.svg', title: 'Start-up', unit: 'milliseconds', bars: barsOf(({ startMs }) => startMs) },
      { file: 'memory.svg', title: 'Memory at rest', unit: 'megabytes', bars: barsOf(({ memoryMb }) => memoryMb) },
    ],
  }
}
