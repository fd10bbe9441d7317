// The short form of stress/fuzzing.test.ts.
import { expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'
import { FUZZ_SETTINGS, startFuzzing } from './fuzz-service.ts'

const SEED = 20_261_121
const REQUESTS = 150
/** Only a request that never gets its response hangs so long. */
const HUNG_MS = 10_000
const TIMEOUT_MS = 600_000

const service = await startServiceForFile(FUZZ_SETTINGS)

test(
  `${REQUESTS} mutated requests: no 5xx, none hangs, nothing used up`,
  { timeout: TIMEOUT_MS },
  async () => {
    const fuzzing = await startFuzzing(service, SEED, HUNG_MS)
    await fuzzing.run(0, REQUESTS)
    expect(await fuzzing.end()).toEqual([])
    // The run reaches the operations: not every request is refused at an early check.
    expect(Object.keys(fuzzing.countByStatus)).toEqual(
      expect.arrayContaining(['200', '400', '401', '404', '422']),
    )
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  },
)
