// What the console says of the keys of several processes.
import { expect, test } from 'vitest'
import { findDifferences, isRemovable, joinRings } from '../../console/src/key-rings.ts'

const key = (kid: string, is_current: boolean, in_use: number | null = 0) => ({
  purpose: 'pepper',
  kid,
  is_current,
  active_from: null,
  in_use,
})
const processOf = (process_id: string, current: string, ...others: string[]) => ({
  process_id,
  keys: [current, ...others].map((kid) => ({ purpose: 'pepper', kid, is_current: kid === current })),
})
type Rings = Parameters<typeof joinRings>
const read = (...[keys, processes]: Rings) => {
  const rings = joinRings(keys, processes)
  return {
    differences: findDifferences(rings).map((found) => [found.text, ...found.keys]),
    removable: rings.filter((ring) => isRemovable(ring, processes)).map(({ kid }) => kid),
  }
}
const KEYS = [key('new', true, 5), key('old', false)]

test.each<[string, Rings, ReturnType<typeof read>]>([
  [
    'equal rings differ in nothing',
    [KEYS, [processOf('one', 'new', 'old'), processOf('two', 'new', 'old')]],
    { differences: [], removable: ['old'] },
  ],
  [
    'another process lacks a key',
    [KEYS, [processOf('one', 'new', 'old'), processOf('two', 'new')]],
    { differences: [['Process two lacks 1 key', 'pepper old']], removable: ['old'] },
  ],
  [
    'only another process has a key',
    [KEYS, [processOf('one', 'new', 'old'), processOf('two', 'new', 'old', 'other')]],
    { differences: [['Process one lacks 1 key', 'pepper other']], removable: ['old'] },
  ],
  [
    'another process lacks two keys',
    [KEYS, [processOf('one', 'new', 'old'), { process_id: 'two', keys: [] }]],
    { differences: [['Process two lacks 2 keys', 'pepper new', 'pepper old']], removable: ['old'] },
  ],
  [
    'another process uses the old key for new data, so it cannot be removed',
    [KEYS, [processOf('one', 'new', 'old'), processOf('two', 'old', 'new'), processOf('three', 'old')]],
    {
      differences: [
        ['Process three lacks 1 key', 'pepper new'],
        ['The current key of pepper is new at one, and old at two, three.'],
      ],
      removable: [],
    },
  ],
  [
    'the process that answers has a newer ring than it has written',
    [KEYS, [processOf('one', 'old')]],
    {
      differences: [
        ['Process one lacks 1 key', 'pepper new'],
        ['The current key of pepper is new at the process that answers, and old at one.'],
      ],
      removable: [],
    },
  ],
  ['without the processes no key can be removed', [KEYS, []], { differences: [], removable: [] }],
  [
    'a key that data needs, or that is not counted, cannot be removed',
    [
      [key('new', true), key('old', false, 1), key('older', false, null)],
      [processOf('one', 'new', 'old', 'older')],
    ],
    { differences: [], removable: [] },
  ],
  [
    'a key that becomes the current one cannot be removed',
    [
      [key('new', true), { ...key('next', false), active_from: '9999-01-01T00:00:00Z' }],
      [processOf('one', 'new', 'next')],
    ],
    { differences: [], removable: [] },
  ],
])('%s', (_what, rings, expected) => {
  expect(read(...rings)).toEqual(expected)
})
