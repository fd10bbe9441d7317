import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createConcurrencyLimit } from '../../src/http/concurrency-limit.ts'

const DEADLINE_MS = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(10_000)
  onTestFinished(() => void vi.useRealTimers())
})

test('a request that takes half of its deadline lowers the limit to 70 %', () => {
  const limit = createConcurrencyLimit(100, DEADLINE_MS)
  limit.recordDuration(499)
  expect(limit.total()).toBe(100)
  limit.recordDuration(500)
  expect(limit.total()).toBe(70)
})

test('a slow request that began before the limit was lowered does not lower it again', () => {
  const limit = createConcurrencyLimit(100, DEADLINE_MS)
  limit.recordDuration(600)
  vi.advanceTimersByTime(599)
  limit.recordDuration(600)
  expect(limit.total()).toBe(70)
  vi.advanceTimersByTime(1)
  limit.recordDuration(600)
  expect(limit.total()).toBe(49)
})

test('fast requests raise the limit by 0.1 each, up to the maximum', () => {
  const limit = createConcurrencyLimit(100, DEADLINE_MS)
  limit.recordDuration(500)
  for (let count = 0; count < 11; count++) limit.recordDuration(250)
  expect(limit.total()).toBe(70)
  for (let count = 0; count < 11; count++) limit.recordDuration(249)
  expect(limit.total()).toBe(71)
  for (let count = 0; count < 1_000; count++) limit.recordDuration(1)
  expect(limit.total()).toBe(100)
})

test.each([
  [100, 10],
  [8, 8],
])('of %i slots, at least %i stay', (max, least) => {
  const limit = createConcurrencyLimit(max, DEADLINE_MS)
  for (let count = 0; count < 20; count++) {
    vi.advanceTimersByTime(DEADLINE_MS)
    limit.recordDuration(500)
  }
  expect(limit.total()).toBe(least)
})

test.each([
  [100, 4],
  [3, 3],
])('of %i slots, one caller may hold %i while timers run late; each timer in time adds one', (max, least) => {
  const limit = createConcurrencyLimit(max, DEADLINE_MS)
  limit.recordLag(4)
  expect(limit.perCaller()).toBe(max)
  for (let count = 0; count < 20; count++) limit.recordLag(5)
  expect(limit.perCaller()).toBe(least)
  limit.recordLag(0)
  expect(limit.perCaller()).toBe(Math.min(max, least + 1))
})
