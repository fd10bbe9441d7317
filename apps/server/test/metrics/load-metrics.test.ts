// The gauges of the load: requests that hold a slot, and requests that wait for one.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startServiceWithOperatorAddress } from '../kit/api-client.ts'
import { scrapeMetrics, valueOf } from '../kit/scrape-metrics.ts'

const { service, api, operatorOrigin } = await startServiceWithOperatorAddress({
  TIWALA_MAX_IN_FLIGHT: '2',
  TIWALA_REQUEST_DEADLINE_MS: '60000',
  TIWALA_MAX_QUEUED_MS: '60000',
})

/** The server shares the process with those of other test files. */
async function load() {
  const text = await scrapeMetrics(operatorOrigin)
  return ['tiwala_requests_in_flight', 'tiwala_requests_queued'].map((name) => valueOf(text, name))
}

test('requests in flight and in the queue are counted', async () => {
  const before = await load()
  const holder = await service.db.startTransaction().execute()
  await sql`lock table citizen in access exclusive mode`.execute(holder)
  const requests = Array.from({ length: 5 }, () => api.send('listAuthorizations', { headers: api.asCitizen }))
  await expect.poll(load).toEqual([before[0]! + 2, before[1]! + 3])
  await holder.rollback().execute()
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(requests.map(() => 200))
  await expect.poll(load).toEqual(before)
})
