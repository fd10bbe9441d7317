// An event stream ends by itself: after five minutes, or when the token that opened it expires.
import { expect, onTestFinished, test, vi } from 'vitest'
import { streamEvents } from '../../src/authorizations/stream-events/stream-events.ts'
import { createNotifications } from '../../src/database/notifications.ts'
import { createConcurrencyCaps } from '../../src/limits/concurrency-caps.ts'
import type { Call, Service } from '../../src/operation.ts'
import { fakeDatabase } from '../kit/fake-database.ts'

const HOUR_MS = 3_600_000

test.each([
  ['5 minutes', HOUR_MS, 300_000],
  ['the life of the token', 60_000, 60_000],
])('%s', async (_what, tokenLifeMs, endsAfterMs) => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  const now = new Date()
  const service = {
    db: fakeDatabase(async ({ sql }) => (sql.includes('from citizen') ? [{ id: 1, now }] : [])),
    config: { retention: { recordsDays: 90 }, authorizationTtlSeconds: 300 },
    notifications: createNotifications(10),
    concurrencyCaps: createConcurrencyCaps({ streamsPerCitizen: 1, waitsPerPartner: 1, waitsPerRecord: 1 }),
  } as unknown as Service
  const slot = { release: vi.fn(), reacquire: vi.fn(async () => true) }
  const call = {
    caller: { uniqidHmacs: ['x'], tokenExpiresAtMs: now.getTime() + tokenLifeMs },
    header: () => undefined,
    onClose: () => {},
    slot,
  } as unknown as Call<'streamEvents'>
  const [timeouts, intervals] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')]
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const { stream } = await streamEvents(service, call)
  const texts: string[] = []
  let isEnded = false
  void (async () => {
    for await (const text of stream) texts.push(text)
    isEnded = true
  })()
  await vi.advanceTimersByTimeAsync(endsAfterMs - 1)
  expect(isEnded).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isEnded).toBe(true)
  // Others may start timers meanwhile, with other times.
  const startedBy = ({ mock }: typeof timeouts | typeof intervals, ms: number) =>
    mock.results.flatMap(({ value }, index) => (mock.calls[index]![1] === ms ? [value as unknown] : []))
  const started = [...startedBy(timeouts, endsAfterMs), ...startedBy(intervals, 15_000)]
  expect(started).toHaveLength(2)
  expect(cleared.mock.calls.flat()).toEqual(expect.arrayContaining(started))
  // A heartbeat each 15 s, so that proxies keep the connection.
  const heartbeats = Math.ceil(endsAfterMs / 15_000) - 1
  expect(texts).toEqual(['retry: 2000\n\n', ...Array.from({ length: heartbeats }, () => ':\n\n')])
  // It has a slot only while it reads: before the response, and at each heartbeat.
  expect(slot.release).toHaveBeenCalledTimes(heartbeats + 1)
  expect(slot.reacquire).toHaveBeenCalledTimes(heartbeats)
})
