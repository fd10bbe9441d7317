import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttled } from '../../src/database/throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first call runs at once; the calls in the pause after it run together at its end', async () => {
  const act = vi.fn<() => void>()
  const { call } = throttled(act)
  call()
  expect(act).toHaveBeenCalledTimes(1)
  for (let calls = 0; calls < 1_000; calls++) call()
  expect(act).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(50)
  expect(act).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(act).toHaveBeenCalledTimes(2)
})

test('the pauses grow while the calls go on, and are short again after a quiet pause', async () => {
  const act = vi.fn<() => void>()
  const { call } = throttled(act, 500)
  for (let elapsedMs = 0; elapsedMs < 10_000; elapsedMs += 10) {
    call()
    await vi.advanceTimersByTimeAsync(10)
  }
  // 50, 100, 200 and 400 ms, then one run every 500 ms.
  expect(act.mock.calls.length).toBeLessThan(25)
  await vi.advanceTimersByTimeAsync(1_000)
  act.mockClear()
  call()
  call()
  expect(act).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(50)
  expect(act).toHaveBeenCalledTimes(2)
})

test('two runs never overlap, and a call during a run causes another one', async () => {
  let finish = () => {}
  const act = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const { call, stop } = throttled(act)
  call()
  await vi.advanceTimersByTimeAsync(1_000)
  call()
  expect(act).toHaveBeenCalledTimes(1)
  finish()
  await vi.advanceTimersByTimeAsync(50)
  expect(act).toHaveBeenCalledTimes(2)
  call()
  stop()
  finish()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(act).toHaveBeenCalledTimes(2)
})
