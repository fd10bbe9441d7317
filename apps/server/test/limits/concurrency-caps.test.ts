import { expect, test } from 'vitest'
import { ConcurrencyCap } from '../../src/limits/concurrency-caps.ts'

test('each key may hold the maximum, and a released permit can be acquired again', () => {
  const cap = new ConcurrencyCap(2)
  const release = cap.acquire('a')!
  expect(
    [cap.acquire('a'), cap.acquire('a'), cap.acquire('b')].map((permit) => permit !== undefined),
  ).toEqual([true, false, true])
  release()
  expect([cap.acquire('a') !== undefined, cap.acquire('a')]).toEqual([true, undefined])
})

test('a permit that is released twice counts once', () => {
  const cap = new ConcurrencyCap(2)
  const release = cap.acquire('a')!
  cap.acquire('a')
  release()
  release()
  expect([cap.acquire('a') !== undefined, cap.acquire('a')]).toEqual([true, undefined])
})

test('a key without permits takes no memory', () => {
  const cap = new ConcurrencyCap(1)
  const usedBytes = () => {
    globalThis.gc!()
    return process.memoryUsage().heapUsed
  }
  const beforeBytes = usedBytes()
  for (let count = 0; count < 200_000; count++) cap.acquire(`record ${count}`)!()
  expect(usedBytes() - beforeBytes).toBeLessThan(2_000_000)
  expect(cap.acquire('record 1')).toBeDefined()
})
