// 50,000 mutated requests. TIWALA_FUZZ_SEED, TIWALA_FUZZ_FIRST and TIWALA_FUZZ_REQUESTS choose others. A
// fault prints the values that repeat it.
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { warmUpContracts } from '@tiwala/server/testing'
import { expect, test } from 'vitest'
import { FUZZ_SEED } from '../src/fuzz/fuzz-seed.ts'
import { FUZZ_SETTINGS, startFuzzing } from '../src/fuzz/fuzz-service.ts'
import { startServiceForFile } from '../src/kit/test-service.ts'

const numberOf = (name: string, otherwise: number) => Number(process.env[`TIWALA_FUZZ_${name}`] ?? otherwise)
const FIRST = numberOf('FIRST', 0)
const REQUESTS = numberOf('REQUESTS', 50_000)
const HUNG_MS = 1_000
const SLICE = 2_500
const MAX_SHOWN = 5
/**
 * From the second to the last quarter of the run, about 200 bytes for each request. The test itself keeps a part of
 * that, and V8 optimizes code.
 */
const MAX_GROWTH_MIB = 5
const TIMEOUT_MS = 7_200_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

await warmUpContracts()
const service = await startServiceForFile(FUZZ_SETTINGS)

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
async function heapMiB(): Promise<number> {
  collectGarbage()
  // What is finalized in between is garbage, too.
  await turn()
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

test(
  `${REQUESTS} mutated requests: no 5xx, none hangs, nothing used up, flat heap`,
  { timeout: TIMEOUT_MS },
  async () => {
    const fuzzing = await startFuzzing(service, FUZZ_SEED, HUNG_MS)
    const heaps: number[] = []
    for (let done = 0; done < REQUESTS; done += SLICE) {
      await fuzzing.run(FIRST + done, Math.min(SLICE, REQUESTS - done))
      heaps.push(await heapMiB())
      console.log(
        `seed ${FUZZ_SEED}, ${Math.min(done + SLICE, REQUESTS)} requests, ${fuzzing.faults.length} faults,`,
        `${fuzzing.checks()} valid requests after refusals, slowest ${Math.round(fuzzing.slowestMs())} ms,`,
        `heap ${heaps.at(-1)!.toFixed(1)} MiB, ${Math.round(process.cpuUsage().user / 1e6)} s of CPU`,
        fuzzing.countByStatus,
        fuzzing.faults.slice(0, MAX_SHOWN).join('\n'),
      )
    }
    const faults = await fuzzing.end()
    expect(faults.slice(0, MAX_SHOWN)).toEqual([])
    // A short run, such as one that repeats a fault, says nothing about the heap.
    const quarter = Math.floor(heaps.length / 4)
    if (quarter === 0) return
    const growthMiB = median(heaps.slice(-quarter)) - median(heaps.slice(quarter, 2 * quarter))
    expect(growthMiB).toBeLessThan(MAX_GROWTH_MIB)
  },
)
