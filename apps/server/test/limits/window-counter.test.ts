import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWindowCounter } from '../../src/limits/window-counter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('each key has its own count, which starts again with the next window', () => {
  const { count, msLeft } = createWindowCounter(1_000)
  expect([count('a'), count('a'), count('b')]).toEqual([1, 2, 1])
  vi.advanceTimersByTime(999)
  expect([count('a'), msLeft()]).toEqual([3, 1])
  vi.advanceTimersByTime(1)
  expect([msLeft(), count('a'), msLeft()]).toEqual([0, 1, 1_000])
})

test('several events count at once', () => {
  const { count } = createWindowCounter(1_000)
  expect([count('a', 70), count('a', 0), count('a', 2 ** 30)]).toEqual([70, 70, 2 ** 30 + 70])
})

test('a flood of other keys takes no count from a key, and adds little to that of another', () => {
  const { count } = createWindowCounter(1_000)
  for (let times = 0; times < 1_000; times++) count('earlier')
  for (let key = 0; key < 200_000; key++) count(`flood ${key}`)
  expect(count('earlier')).toBeGreaterThan(1_000)
  expect(count('earlier')).toBeLessThan(1_100)
  expect(count('later')).toBeLessThan(100)
})
