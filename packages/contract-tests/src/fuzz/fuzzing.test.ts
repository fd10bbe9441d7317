// The short form of stress/fuzzing.test.ts.
import { expect, test } from 'vitest'
import { startServiceForFile } from '../kit/test-service.ts'
import { FUZZ_SETTINGS, startFuzzing } from './fuzz-service.ts'

const SEED = 20_261_121
const REQUESTS = 200
/** Only a request that never gets its response hangs so long. */
const HUNG_MS = 10_000

const service = await startServiceForFile(FUZZ_SETTINGS)

test(`${REQUESTS} mutated requests: no 5xx, none hangs, one error shape, nothing used up`, async () => {
  const fuzzing = await startFuzzing(service, SEED, HUNG_MS)
  await fuzzing.run(0, REQUESTS)
  expect(await fuzzing.end()).toEqual([])
  // The run reaches the operations: not every request is refused at an early check.
  expect(Object.keys(fuzzing.countByStatus)).toEqual(
    expect.arrayContaining(['200', '400', '401', '404', '405', '415', '422']),
  )
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
})
