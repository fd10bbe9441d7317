import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import type { TestService } from '../../src/testing/start-service.ts'
import { createApiClient } from './api-client.ts'
import { createPartnerWithCallback, writeEvents } from './bulk-events.ts'
import { startConnectionCounter } from './connection-counter.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

type Load = {
  /** Endpoints that take a connection and never answer, and the events that wait for each of them. */
  dead: { endpoints: number; events: number }
  /** Endpoints that answer at once, and the events that each of them gets. */
  good: { endpoints: number; events: number }
  /** Over which the good ones' events happen. */
  lastingMs: number
}

const BURSTS = 10
let count = 0

/** How long good endpoints wait for their events while others are dead: of 100, all but 5 wait no longer. */
export async function measureDeliveryDelayMs(service: TestService, { dead, good, lastingMs }: Load): Promise<number> {
  const api = await createApiClient(service.url)
  await using receiver = await startWebhookReceiver()
  await using silent = await startConnectionCounter((socket) => void socket.resume())
  const create = (endpoints: number, url: string) =>
    Promise.all(Array.from({ length: endpoints }, () => createPartnerWithCallback(api, `LISTENER_${++count}`, `${url}/${count}`)))
  const [deadOnes, goodOnes] = [await create(dead.endpoints, `http://127.0.0.1:${silent.port}`), await create(good.endpoints, receiver.url)]
  if (deadOnes.length) {
    await writeEvents(service.db, deadOnes, dead.endpoints * dead.events)
    await vi.waitUntil(() => silent.open() > 0, { timeout: 60_000 })
  }
  const total = good.endpoints * good.events
  for (let burst = 0; burst < BURSTS; burst++) {
    await writeEvents(service.db, goodOnes, total / BURSTS)
    await sleep(lastingMs / BURSTS)
  }
  await vi.waitUntil(() => receiver.arrivals.size === total, { timeout: 120_000 })
  const delaysMs = [...receiver.arrivals.values()].map(
    ([first]) => first!.atMs - Date.parse((JSON.parse(first!.body) as { timestamp: string }).timestamp),
  )
  return delaysMs.toSorted((a, b) => a - b)[Math.floor(total * 0.95)]!
}
