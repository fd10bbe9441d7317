import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Crowd, type Member } from '../src/http/crowd.ts'

const COME_AND_GO = 20_000
const BYTES_OF_ONE = 2_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** As with requests some are there at any time, and each leaves soon. Tells how many that left are still in memory, as their bytes show. */
function countKept(crowd: { add(one: Member): void; delete(one: Member): void }): number {
  const there: Member[] = []
  collect({ type: 'major' })
  const before = getHeapStatistics().used_heap_size
  for (let came = 1; came <= COME_AND_GO; came++) {
    const one: Member & { bytes: number[] } = { bytes: Array.from({ length: BYTES_OF_ONE / 8 }, () => came) }
    there.push(one)
    crowd.add(one)
    if (there.length > 64) crowd.delete(there.shift()!)
    if (came % 500 === 0) collect({ type: 'minor' })
  }
  return Math.round((getHeapStatistics().used_heap_size - before) / BYTES_OF_ONE)
}

test('whoever has left is not kept in memory', () => {
  expect(countKept(new Crowd())).toBeLessThan(500)
})

test('control: a Set keeps them (the day that this fails, a Set will do)', () => {
  expect(countKept(new Set<Member>())).toBeGreaterThan(1_000)
})

test('those who are there are its members, whoever left before', () => {
  const [first, second, third]: Member[] = [{}, {}, {}]
  const crowd = new Crowd<Member>()
  for (const one of [first!, second!, third!]) crowd.add(one)
  expect([crowd.delete(first!), crowd.delete(first!), crowd.size]).toEqual([true, false, 2])
  expect(new Set(crowd.members())).toEqual(new Set([second, third]))
  for (const one of crowd.members()) expect(crowd.delete(one)).toBe(true)
  expect(crowd.members()).toEqual([])
})
