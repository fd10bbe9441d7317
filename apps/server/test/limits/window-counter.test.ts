import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWindowCounter } from '../../src/limits/window-counter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('each key has its own count, which starts again with the next window', () => {
  const { count, msLeft } = createWindowCounter(1_000, 10)
  expect([count('a'), count('a'), count('b')]).toEqual([1, 2, 1])
  vi.advanceTimersByTime(999)
  expect([count('a'), msLeft()]).toEqual([3, 1])
  vi.advanceTimersByTime(1)
  expect([msLeft(), count('a'), msLeft()]).toEqual([0, 1, 1_000])
})

test('beyond the maximum, further keys share one count, and earlier keys keep theirs', () => {
  const { count } = createWindowCounter(1_000, 2)
  expect(['a', 'b', 'c', 'd', 'a'].map(count)).toEqual([1, 1, 1, 2, 2])
})
