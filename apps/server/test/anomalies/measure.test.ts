// What the guard of partners measures, and what the measures read: a nation has thousands of partners, and the statements have 2 s.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { storeAnomalies } from '../../src/anomalies/anomaly.sql.ts'
import { findNewRanges, measureDisputes, measureHour } from '../../src/anomalies/measure.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { addPartner, read } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const HOUR = sql`floor(extract(epoch from clock_now()) / 3600)::int`
const created_at = sql`clock_now() - interval '20 days'`
const measurePresentHour = (tx: Database) => measureHour(tx, 'Asia/Manila', 0)

/** Runs `act` with partners that the guard has known for 20 days, and rolls back. */
async function withPartners<Result>(count: number, act: (tx: Database, ids: number[]) => Promise<Result>) {
  let result: Result
  await rolledBack(database, async (tx) => {
    await sql`update anomaly_check set first_hour = 0`.execute(tx)
    const ids = []
    while (ids.length < count) ids.push((await addPartner(tx, { created_at })).id)
    result = await act(tx, ids)
  })
  return result!
}

/** Figures of these hours before now. */
const addFigures = (
  tx: Database,
  ids: number[],
  hoursAgo: number[],
  figure: { kind: string; operation?: string; outcome?: string; count?: number },
) => {
  const { kind, operation = '', outcome = '', count = 1 } = figure
  return sql`
    insert into partner_figure (partner_id, hour, kind, operation, outcome, count)
    select id, ${HOUR} - ago, ${kind}, ${operation}, ${outcome}, ${count}
      from unnest(${ids}::bigint[]) id, unnest(${hoursAgo}::int[]) ago`.execute(tx)
}
const addDisputes = (tx: Database, ids: number[], daysAgo: number[], count = 1) =>
  sql`
    insert into dispute (request_id, citizen_id, partner_id, disputed_at)
    select gen_random_uuid(), 0, id, clock_now() - make_interval(days => ago, mins => 1)
      from unnest(${ids}::bigint[]) id, unnest(${daysAgo}::int[]) ago, generate_series(1, ${count}::int)`.execute(
    tx,
  )

const days = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const hoursOf = (daysAgo: number[]) => daysAgo.map((day) => 24 * day)

describe('the median of the days before', () => {
  const addUsual = (tx: Database, ids: number[], daysAgo: number[]) =>
    Promise.all([
      addFigures(tx, ids, [0, ...hoursOf(daysAgo)], { kind: 'own', count: 150 }),
      addFigures(tx, ids, hoursOf(daysAgo), { kind: 'own', outcome: 'refused', count: 50 }),
    ])

  test('a day without requests has none, and no share; the days of other partners do not count', async () => {
    const usual = await withPartners(3, async (tx, [rare, often, other]) => {
      await addUsual(tx, [rare!], days(6))
      await addUsual(tx, [often!], days(8))
      await addFigures(tx, [other!], hoursOf(days(14)), { kind: 'own', count: 9_000 })
      return measurePresentHour(tx)
    })
    const shown = usual.toSorted((a, b) => a.usual_requests - b.usual_requests)
    const numbers = shown.map((each) => [
      each.requests,
      each.usual_requests,
      each.usual_refused,
      each.usual_declined,
    ])
    expect(numbers).toEqual([
      [150, 0, 25, 0],
      [150, 200, 25, 0],
    ])
  })

  test('the days before the guard knew the partner do not count', async () => {
    const usual = await withPartners(1, async (tx, ids) => {
      await addUsual(tx, ids, days(14))
      await addFigures(tx, ids, [1], { kind: 'own', count: 60 })
      await sql`update anomaly_check set first_hour = ${HOUR} - 24 * 7`.execute(tx)
      await sql`delete from partner_figure where hour between ${HOUR} - 24 * 4 and ${HOUR} - 24`.execute(tx)
      // The hour before has a baseline of six days.
      return [...(await measurePresentHour(tx)), ...(await measureHour(tx, 'Asia/Manila', 1))]
    })
    expect(usual.map(({ requests, usual_requests }) => [requests, usual_requests])).toEqual([[150, 0]])
  })

  test('a day without disputes has none, and a partner without disputes today is not compared', async () => {
    const found = await withPartners(3, async (tx, [rare, often, before]) => {
      await addDisputes(tx, [rare!], days(6), 2)
      await addDisputes(tx, [often!], days(8), 2)
      await addDisputes(tx, [before!], days(14), 2)
      await addDisputes(tx, [rare!, often!], [0], 3)
      return measureDisputes(tx)
    })
    const shown = found.toSorted((a, b) => a.usual - b.usual)
    expect(shown.map(({ disputes, usual }) => [disputes, usual])).toEqual([
      [3, 0],
      [3, 2],
    ])
  })
})

/** Partners with every row that the guard reads: two ranges in each hour, one of them new. */
const withBusyPartners = <Result>(count: number, act: (tx: Database, ids: number[]) => Promise<Result>) =>
  withPartners(count, async (tx, ids) => {
    await addDisputes(tx, ids, [0, ...days(14)])
    await addFigures(tx, ids, [0, ...hoursOf(days(14))], { kind: 'own', count: 100 })
    const lastHours = Array.from({ length: 24 }, (_, hour) => hour)
    for (const operation of ['known', 'new'])
      await addFigures(tx, ids, lastHours, { kind: 'range', operation })
    await addFigures(tx, ids, [24], { kind: 'range', operation: 'known' })
    return act(tx, ids)
  })

describe.each([
  ['before a table is analyzed', async () => {}],
  ['when a table was empty as it was analyzed', () => sql`analyze`.execute(database)],
])('with twice the partners a statement sees twice the rows, not four times, %s', (_state, prepare) => {
  beforeAll(prepare)
  type Plan = {
    Plans?: Plan[]
    'Actual Loops': number
    'Actual Rows': number
    'Rows Removed by Filter'?: number
    'Rows Removed by Join Filter'?: number
  }
  /** The rows that all steps of the plan have seen. */
  const countRows = (plan: Plan): number => {
    const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)
    const own = plan['Actual Loops'] * (1 + plan['Actual Rows'] + removed)
    return (plan.Plans ?? []).reduce((sum, each) => sum + countRows(each), own)
  }
  /** Each statement returns its plan. */
  const explaining = (tx: Database) =>
    tx.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind !== 'RawNode') throw new Error('The statement is no text.')
        const [first, ...rest] = node.sqlFragments
        return { ...node, sqlFragments: [`explain (analyze, timing off, format json) ${first}`, ...rest] }
      },
      transformResult: async ({ result }) => result,
    })
  const toAnomaly = (partner_id: number) => ({
    partner_id,
    anomaly_id: randomUUID(),
    kind: 'rate' as const,
    expected: 0,
    threshold: 1,
    observed: 1,
    address_ranges: [],
    action: null,
  })

  test.each<[string, (tx: Database, ids: number[]) => Promise<unknown>]>([
    ['measureHour', measurePresentHour],
    ['measureDisputes', measureDisputes],
    ['findNewRanges', findNewRanges],
    ['storeAnomalies', (tx, ids) => storeAnomalies(tx, ids.map(toAnomaly))],
  ])('%s', async (_name, run) => {
    const measure = (partners: number) =>
      withBusyPartners(partners, async (tx, ids) => {
        await storeAnomalies(tx, ids.map(toAnomaly))
        const [row] = (await run(explaining(tx), ids)) as { 'QUERY PLAN': [{ Plan: Plan }] }[]
        return countRows(row!['QUERY PLAN'][0].Plan)
      })
    const [rows, rowsOfTwice] = [await measure(100), await measure(200)]
    // Plans differ a little with the number of rows. One that reads all partners for each has 2.7 times the rows.
    expect(rowsOfTwice / rows).toBeLessThan(2.4)
  })
})

describe('the figures', () => {
  const countSearches = async (tx: Database) =>
    (
      await read<{ count: number }>(
        tx,
        `select idx_scan as count from pg_stat_xact_user_tables where relname = 'partner_figure'`,
      )
    )[0]!.count
  const searchesOf = (run: (tx: Database) => Promise<{ partner_id: number }[]>) =>
    withBusyPartners(20, async (tx) => {
      const before = await countSearches(tx)
      expect(new Set((await run(tx)).map(({ partner_id }) => partner_id)).size).toBe(20)
      return (await countSearches(tx)) - before
    })

  test('measureHour reads each hour once, for all partners', async () => {
    // PostgreSQL can count one search for each of the two kinds of figures.
    expect([15, 30]).toContain(await searchesOf(measurePresentHour))
  })

  test('findNewRanges searches for each range of a partner once, not once for each hour', async () => {
    // And that there is no further one.
    expect(await searchesOf(findNewRanges)).toBe(20 * (2 + 1))
  })
})
