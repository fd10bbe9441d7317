// The delivery worker: how many events it asks for, and how it ends.
import { Agent } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { Service } from '../../src/operation.ts'
import type { ClaimedEvent } from '../../src/webhooks/claim-events.sql.ts'
import { startDeliveryWorker } from '../../src/webhooks/delivery-worker.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'
import { fakeDatabase } from '../kit/fake-database.ts'
import { fakeTimeOuts, until } from '../kit/fake-time-outs.ts'

const EVENT: ClaimedEvent = {
  id: 1,
  claimed_until: 'infinity',
  partner_id: 7,
  webhook_id: 'evt_1',
  type: 'webhook.test',
  data: {},
  occurred_at: new Date(0),
  traceparent: null,
  attempts: 0,
  callback_url: null,
  is_disabled: false,
  is_suspended: false,
  lag_seconds: null,
  salts: [],
}

/** A worker whose database has one event, in one of the two pools. */
function startWorker(event: ClaimedEvent, isFailing: boolean) {
  const due = [event]
  /** How many more events of the endpoint each claim asked for. */
  const asked: number[] = []
  const stopListening = vi.fn()
  const db = fakeDatabase(async ({ sql, parameters }) => {
    if (!sql.includes('pending_partner') || !parameters.includes(isFailing)) return []
    const [partners, events] = parameters.filter((parameter) => Array.isArray(parameter)) as number[][]
    if (partners!.includes(event.partner_id)) asked.push(events![partners!.indexOf(event.partner_id)]!)
    return due.splice(0)
  })
  const { stop } = startDeliveryWorker({
    db,
    config: readConfig({}),
    notifications: { onEvent: () => stopListening },
    log: { warn: vi.fn() },
  } as unknown as Service)
  return { stop, stopListening, asked }
}

test.each([
  ['a failing endpoint gets at most 4 events at once', true, [4, 4]],
  ['another one gets as many as 1,000 attempts per second need', false, [17, 64]],
])('%s', async (_what, isFailing, [min, max]) => {
  const { stop, asked } = startWorker(EVENT, isFailing)
  await expect.poll(() => Math.max(...asked)).toBeGreaterThan(1)
  await stop()
  expect(Math.max(...asked)).toBeGreaterThanOrEqual(min!)
  expect(Math.max(...asked)).toBeLessThanOrEqual(max!)
})

test('at its end, attempts in flight get 5 seconds, and every kept connection is closed', async () => {
  await using silent = await startConnectionCounter((socket) => void socket.resume())
  fakeTimeOuts()
  const closed = vi.spyOn(Agent.prototype, 'destroy')
  const event = { ...EVENT, callback_url: `http://127.0.0.1:${silent.port}/` }
  const { stop, stopListening } = startWorker(event, false)
  await until(() => silent.open() === 1)
  let hasEnded = false
  const stopped = stop().then(() => (hasEnded = true))
  expect(stopListening).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(4_999)
  for (let turns = 0; turns < 10; turns++) await turn()
  expect([hasEnded, closed.mock.calls.length]).toEqual([false, 0])
  await vi.advanceTimersByTimeAsync(1)
  await stopped
  // One for each protocol.
  expect(closed).toHaveBeenCalledTimes(2)
})
