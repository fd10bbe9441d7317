import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startFigures, withinMs } from '../../src/figures/count-figures.ts'
import type { NewFigure } from '../../src/figures/figures.sql.ts'
import { fakeDatabase } from '../kit/fake-database.ts'

const FIGURE: NewFigure = {
  partner_id: 1,
  secret_code: null,
  partner_code: null,
  kind: 'request',
  operation: 'inquire',
  outcome: '',
  within_ms: 10,
  count: 1,
}

function prepare(insert: (figures: NewFigure[]) => void) {
  const db = fakeDatabase(async ({ parameters: [json] }) => {
    insert(JSON.parse(String(json)) as NewFigure[])
    return []
  })
  return startFigures({ db, log: pino({ level: 'silent' }) })
}

test('alike requests are one row, and the highest share of a limit counts', async () => {
  const stored: NewFigure[] = []
  const figures = prepare((rows) => stored.push(...rows))
  for (let turn = 0; turn < 3; turn++) figures.add(FIGURE)
  figures.add({ ...FIGURE, partner_id: 2 })
  for (const count of [7, 90, 8]) figures.add({ ...FIGURE, kind: 'limit', count })
  await figures.stop()
  expect(stored.map(({ partner_id, kind, count }) => [partner_id, kind, count])).toEqual([
    [1, 'request', 3],
    [2, 'request', 1],
    [1, 'limit', 90],
  ])
})

test('at the end, what else is written at the same times is written, too', async () => {
  const waiting: string[] = []
  const writeAlso = vi.fn(async () => (waiting.shift(), waiting.length > 0))
  const figures = startFigures(
    { db: fakeDatabase(async () => []), log: pino({ level: 'silent' }) },
    writeAlso,
  )
  await vi.waitFor(() => expect(writeAlso).toHaveBeenCalledOnce(), 60_000)
  waiting.push('first', 'second')
  await figures.stop()
  expect(waiting).toEqual([])
})

test('counts of a statement that fails are stored by the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const stored: NewFigure[] = []
  let attempts = 0
  const figures = prepare((rows) => {
    if (attempts++ === 0) throw new Error('no database')
    stored.push(...rows)
  })
  figures.add(FIGURE)
  figures.add(FIGURE)
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.waitFor(() => expect(attempts).toBe(1), 60_000)
  figures.add(FIGURE)
  await figures.stop()
  expect(stored).toMatchObject([{ count: 3 }])
})

test('partners that requests only name are bounded, others are not', async () => {
  const stored: NewFigure[] = []
  const figures = prepare((rows) => stored.push(...rows))
  for (let id = 1; id <= 6_000; id++) {
    figures.add({ ...FIGURE, partner_id: null, secret_code: `twc_${id}` })
    figures.add({ ...FIGURE, partner_id: id })
  }
  await figures.stop()
  const named = stored.filter(({ partner_id }) => partner_id === null)
  expect([named.length, stored.length]).toEqual([5_000, 11_000])
})

test('a duration counts in the first range that has it, the longest in the last one', () => {
  expect([0, 10, 11, 60_000, 90_000].map(withinMs)).toEqual([10, 10, 25, 60_000, 60_000])
})
