import { expect, test } from 'vitest'
import { hideSmall, SMALLEST_SHOWN } from '../../src/figures/hide-small.ts'

const show = (accepted: number, declined: number, expired: number) =>
  Object.values(hideSmall({ accepted, declined, expired }))

test.each([
  ['nothing is hidden of a day without small numbers', [100, 5, 0], [100, 5, 0]],
  ['a day without requests is shown', [0, 0, 0], [0, 0, 0]],
  ['all is hidden of a day with few requests', [4, 0, 0], [null, null, null]],
  ['two small numbers hide each other', [100, 3, 4], [100, null, null]],
  [
    'one small number would follow from the total, so the next larger one is hidden',
    [100, 3, 7],
    [100, null, null],
  ],
  ['what is hidden is never less than 5 together', [100, 3, 0], [null, null, null]],
  [
    'what is hidden is never less than 5 together, also if two numbers are small',
    [100, 2, 2],
    [null, null, null],
  ],
])('%s', (_what, [accepted, declined, expired], shown) => {
  const hidden = hideSmall({ accepted: accepted!, declined: declined!, expired: expired! })
  expect([hidden.accepted, hidden.declined, hidden.expired]).toEqual(shown)
})

test('no number from 1 to 4 can be derived: other answers of 5 or more citizens look the same', () => {
  const LARGEST = 12
  for (let total = 0; total <= LARGEST; total++) {
    /** The answers that a reader sees as the same numbers. */
    const alike = Map.groupBy(
      Array.from({ length: (total + 1) ** 2 }, (_, n) => [Math.floor(n / (total + 1)), n % (total + 1)])
        .filter(([a, d]) => a! + d! <= total)
        .map(([a, d]) => [a!, d!, total - a! - d!] as const),
      (answers) => JSON.stringify(show(...answers).map((shown, index) => [index, shown])),
    )
    for (const [text, group] of alike) {
      const shown = (JSON.parse(text) as [number, number | null][]).map(([, each]) => each)
      const hiddenSum = total - shown.reduce<number>((sum, each) => sum + (each ?? 0), 0)
      const isHidden = shown.includes(null)
      expect({
        showsSmall: shown.some((each) => each !== null && each > 0 && each < SMALLEST_SHOWN),
        hidesTooFew: isHidden && hiddenSum < Math.min(total, SMALLEST_SHOWN),
        isUnique: isHidden && group.length === 1,
      }).toEqual({ showsSmall: false, hidesTooFew: false, isUnique: false })
    }
  }
})
