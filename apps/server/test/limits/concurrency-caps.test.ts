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
