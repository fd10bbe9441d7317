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
  const release = vi.fn()
  const slot = { release, reacquire: async () => true }
  const call = { caller: { id: 1 }, path: { request_id: 'req_unknown' }, slot }
  const read = () => readDiagnosis(own, call as unknown as Call<'readDiagnosis'>)
  const readMany = (count: number) => Promise.allSettled(Array.from({ length: count }, read))
  await readMany(MAX_WAITS + 5)
  expect(release).toHaveBeenCalledTimes(MAX_WAITS)
  await expect(read()).rejects.toMatchObject({ code: 'not_found' })
  expect(release).toHaveBeenCalledTimes(MAX_WAITS + 1)
})
