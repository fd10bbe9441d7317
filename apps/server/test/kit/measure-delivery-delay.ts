import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import type { TestService } from '../../src/testing/start-service.ts'
import { createApiClient } from './api-client.ts'
import { createPartnerWithCallback, writeEvents } from './bulk-events.ts'
import { startConnectionCounter } from './connection-counter.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

type Load = {
  /** Endpoints that accept a connection and never respond, and the number of events for each. */
  dead: { endpoints: number; events: number }
  /** Endpoints that respond at once, and the number of events for each. */
  good: { endpoints: number; events: number }
  /** The time over which the events of the good endpoints are written. */
  lastingMs: number
}

const BURSTS = 10
let count = 0

/** The 95th percentile of the delivery delay of good endpoints while other endpoints are dead. */
export async function measureDeliveryDelayMs(
  service: TestService,
  { dead, good, lastingMs }: Load,
): Promise<number> {
  const api = await createApiClient(service.url)
  await using receiver = await startWebhookReceiver()
  await using silent = await startConnectionCounter((socket) => void socket.resume())
  const create = (endpoints: number, url: string) =>
    Promise.all(
      Array.from({ length: endpoints }, () =>
        createPartnerWithCallback(api, `LISTENER_${++count}`, `${url}/${count}`),
      ),
    )
  const [deadOnes, goodOnes] = [
    await create(dead.endpoints, `http://127.0.0.1:${silent.port}`),
    await create(good.endpoints, receiver.url),
  ]
  if (deadOnes.length) {
    await writeEvents(service.db, deadOnes, dead.endpoints * dead.events)
    await vi.waitUntil(() => silent.open() > 0, { timeout: 60_000 })
  }
  const total = good.endpoints * good.events
  for (let burst = 0; burst < BURSTS; burst++) {
    await writeEvents(service.db, goodOnes, total / BURSTS)
    await sleep(lastingMs / BURSTS)
  }
  await vi.waitUntil(() => receiver.arrivalsOfEvent.size === total, { timeout: 120_000 })
  const delaysMs = [...receiver.arrivalsOfEvent.values()].map(
    ([first]) =>
      first!.atMs - Date.parse((JSON.parse(String(first!.body)) as { timestamp: string }).timestamp),
  )
  return delaysMs.toSorted((a, b) => a - b)[Math.floor(total * 0.95)]!
}
