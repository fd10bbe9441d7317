// Deliveries survive kills of the process, and dead endpoints do not delay other endpoints.
import { expect, inject, test } from 'vitest'
import { startService } from '../src/testing/start-service.ts'
import { measureDeliveryDelayMs } from '../test/kit/measure-delivery-delay.ts'
import { temporaryDatabase } from '../test/kit/temporary-resources.ts'
import { deliverWithKills } from './deliver-with-kills.ts'

const [EVENTS, KILLS] = [10_000, 20]

test(`${KILLS} kills of the delivering process: all ${EVENTS} events arrive, at most 2 % twice`, async () => {
  await using database = await temporaryDatabase()
  const { arrivals, arrivalsOfEvent } = await deliverWithKills({ database, events: EVENTS, kills: KILLS })
  const duplicates = arrivals.length - arrivalsOfEvent.size
  console.log(`${duplicates} of ${EVENTS} events arrived twice`)
  expect(arrivalsOfEvent.size).toBe(EVENTS)
  for (const [first, ...again] of arrivalsOfEvent.values())
    for (const { path, body } of again)
      expect({ path, body }).toEqual({ path: first!.path, body: first!.body })
  expect(duplicates).toBeLessThanOrEqual(EVENTS * 0.02)
})

const NONE = { endpoints: 0, events: 0 }
const GOOD = { endpoints: 5, events: 100 }
const TIMEOUT_MS = 15_000

test.each([
  [
    'a dead endpoint with 200 queued events delays the other endpoints by at most 2 s',
    { endpoints: 1, events: 200 },
    2_000,
  ],
  [
    '20 endpoints that die at once, each with 100 queued events, delay the other endpoints by one timeout',
    { endpoints: 20, events: 100 },
    TIMEOUT_MS + 5_000,
  ],
])('%s', async (_what, dead, mostMs) => {
  const service = await startService(inject('postgres'))
  const alone = await measureDeliveryDelayMs(service, { dead: NONE, good: GOOD, lastingMs: 3_000 })
  const beside = await measureDeliveryDelayMs(service, { dead, good: GOOD, lastingMs: 3_000 })
  console.log(`95 % arrive within ${alone} ms, beside the dead within ${beside} ms`)
  await service.close()
  expect(beside - alone).toBeLessThanOrEqual(mostMs)
})
