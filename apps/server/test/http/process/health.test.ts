import { afterEach, expect, test, vi } from 'vitest'
import { shareCheck } from '../../../src/http/process/health.ts'

afterEach(() => vi.restoreAllMocks())

test('requests share one check that is running, or whose result is at most 250 ms old', async () => {
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const ends: ((isUp: boolean) => void)[] = []
  const isUp = shareCheck(() => new Promise((resolve) => ends.push(resolve)))
  const first = [isUp(), isUp()]
  nowMs = 400
  first.push(isUp())
  expect(ends).toHaveLength(1)
  ends[0]!(true)
  expect(await Promise.all(first)).toEqual([true, true, true])

  const second = isUp()
  expect(ends).toHaveLength(2)
  ends[1]!(false)
  expect(await second).toBe(false)
  nowMs = 649
  expect(await isUp()).toBe(false)
  nowMs = 650
  void isUp()
  expect(ends).toHaveLength(3)
})
