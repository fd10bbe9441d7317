// The gauges of the load: requests that hold a slot, and requests that wait for one.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startServiceWithOperatorAddress } from '../kit/api-client.ts'
import { countBlocked } from '../kit/blocked-statements.ts'
import { scrapeMetrics, valueOf } from '../kit/scrape-metrics.ts'

const { service, api, operatorOrigin } = await startServiceWithOperatorAddress({ TIWALA_MAX_IN_FLIGHT: '2' })

/** The server shares the process with those of other test files. */
async function load() {
  const text = await scrapeMetrics(operatorOrigin)
  return ['tiwala_requests_in_flight', 'tiwala_requests_queued'].map((name) => valueOf(text, name))
}

/** The load while five requests wait for the database. */
async function loadOfFive() {
  const holder = await service.db.startTransaction().execute()
  await sql`lock table citizen in access exclusive mode`.execute(holder)
  const requests = Array.from({ length: 5 }, () => api.send('listAuthorizations', { headers: api.asCitizen }))
  await expect.poll(() => countBlocked(service.db), { interval: 5 }).toBeGreaterThan(0)
  const seen = await load()
  await holder.rollback().execute()
  await Promise.all(requests)
  return seen
}

test('requests in flight and in the queue are counted', async () => {
  const [inFlight, queued] = (await load()) as [number, number]
  // The requests wait for a quarter of a second at most, which a busy machine may exceed: then again.
  await expect.poll(loadOfFive).toEqual([inFlight + 2, queued + 3])
  await expect.poll(load).toEqual([inFlight, queued])
})
