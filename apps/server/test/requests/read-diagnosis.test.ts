import { expect, test, vi } from 'vitest'
import { createConcurrencyCaps } from '../../src/limits/concurrency-caps.ts'
import type { Call, Service } from '../../src/operation.ts'
import { readDiagnosis } from '../../src/requests/read-diagnosis.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const MAX_WAITS = 10

const { service } = await startServiceForFile()
const { db, config } = service
const own = { db, config, concurrencyCaps: createConcurrencyCaps(config.concurrencyCaps) } as Service

test('a partner waits for at most ten diagnoses at once; a wait that has ended does not count', async () => {
  let [waiting, mostWaiting] = [0, 0]
  const slot = {
    release: vi.fn(() => (mostWaiting = Math.max(mostWaiting, ++waiting))),
    reacquire: async () => (waiting--, true),
  }
  const call = { caller: { id: 1 }, path: { request_id: 'req_unknown' }, slot }
  const read = () => readDiagnosis(own, call as unknown as Call<'readDiagnosis'>)
  await Promise.allSettled(Array.from({ length: 4 * MAX_WAITS }, read))
  expect(mostWaiting).toBe(MAX_WAITS)
  slot.release.mockClear()
  await expect(read()).rejects.toMatchObject({ code: 'not_found' })
  expect(slot.release).toHaveBeenCalledOnce()
})
