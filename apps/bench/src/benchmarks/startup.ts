import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import { memoryMegabytes } from '../contenders/resource-usage.ts'
import { startEmbedded } from '../contenders/tiwala.ts'
import { log } from '../log.ts'
import { createDatabase } from '../postgres/databases.ts'
import { median } from '../report/median.ts'
import type { Section } from '../report/section.ts'

const TITLE = 'Start time and idle memory'
/** By then the memory that only the start needs has been freed. */
const PAUSE_MS = 3_000

type Sample = { startMs: number; memoryMb: number | undefined }

/** A cold start creates the schema in an empty database. A warm start is the second start over it. */
export async function benchStartup({ plan, folder, postgres, startTiwala }: Bench): Promise<Section> {
  log(TITLE)
  const samples: Record<string, Sample[]> = {}
  const measure = async (name: string, start: () => Promise<Contender>) => {
    const { startMs, pid, stop } = await start()
    await wait(PAUSE_MS)
    const memoryMb = memoryMegabytes(pid)
    ;(samples[name] ??= []).push({ startMs, memoryMb })
    log(`  ${name}: ${Math.round(startMs)} ms, ${memoryMb} MB`)
    await stop()
  }
  for (let round = 0; round < plan.starts; round++) {
    const dataDir = await mkdtemp(join(folder, 'embedded-'))
    const database = await createDatabase(postgres.url, `startup_${round}`)
    for (const temperature of ['cold', 'warm']) {
      await measure(`embedded database, ${temperature}`, () => startEmbedded(dataDir, folder))
      await measure(`PostgreSQL, ${temperature}`, () => startTiwala(database, { name: 'startup' }))
    }
  }
  const figures = Object.entries(samples).map(([name, starts]) => ({
    name,
    startMs: median(starts.map(({ startMs }) => startMs)),
    memoryMb: median(starts.map(({ memoryMb }) => memoryMb ?? 0)) || undefined,
  }))
  const toBars = (valueOf: (figure: (typeof figures)[number]) => number | undefined) =>
    figures.flatMap((figure) => {
      const value = valueOf(figure)
      return value === undefined ? [] : [{ name: figure.name, value }]
    })
  return {
    benchmark: 'startup',
    title: TITLE,
    method:
      'Time from the start of the process to the first 200 response of `/readyz`; memory (RSS) three ' +
      'seconds later. A cold start creates the schema; a warm start is the second start over the same ' +
      'database.',
    ratios: [],
    figures,
    notes: [],
    charts: [
      {
        file: 'startup.svg',
        title: 'Start time',
        unit: 'milliseconds',
        bars: toBars(({ startMs }) => startMs),
      },
      {
        file: 'memory.svg',
        title: 'Idle memory',
        unit: 'megabytes',
        bars: toBars(({ memoryMb }) => memoryMb),
      },
    ],
  }
}
