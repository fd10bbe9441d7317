import { expect, onTestFinished, test, vi } from 'vitest'
import { createNotifications } from '../../src/database/notifications.ts'

const LONGEST_PAUSE_MS = 500

test('a listener of each record hears which one, or that any may have changed', () => {
  const notifications = createNotifications(10)
  const listener = vi.fn()
  notifications.onEachRecord(listener)
  notifications.receive(`record 1 2 ${'A'.repeat(26)}`)
  notifications.wakeAll()
  expect(listener.mock.calls).toEqual([
    [expect.objectContaining({ partner_id: 1, tracking_no: 'A'.repeat(26) })],
    [],
  ])
})

test('wakeAll runs a subscriber of several topics once, and a later notification runs it again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const notifications = createNotifications(10)
  const wakes = [1, 2].map((partner_id) => {
    const wake = vi.fn<() => void>()
    notifications.onRecord({ partner_id, tracking_no: 'A'.repeat(26) }, wake)
    return wake
  })
  notifications.wakeAll()
  await vi.advanceTimersByTimeAsync(LONGEST_PAUSE_MS)
  expect(wakes.map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  notifications.receive('partner 2')
  expect(wakes.map(({ mock }) => mock.calls.length)).toEqual([1, 2])
})
