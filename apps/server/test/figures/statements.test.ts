// The figures in the database: whose they are, their hours and days, and how records are counted.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { countEndedRecords } from '../../src/figures/count-records.sql.ts'
import {
  addFigures,
  countRecordsByDay,
  deleteOldFigures,
  findFigures,
  type FigureRow,
  type NewFigure,
} from '../../src/figures/figures.sql.ts'
import { ACCEPTED, addParties, addRecord, read, type Row } from '../kit/rows.ts'
import { openDatabaseForFile } from '../kit/statement-database.ts'
import { rolledBack, stopClockAt } from '../kit/stopped-clock.ts'

const database = await openDatabaseForFile()

const FIGURE: NewFigure = {
  partner_id: null,
  secret_code: null,
  partner_code: null,
  kind: 'request',
  operation: 'inquire',
  outcome: '',
  within_ms: 10,
  count: 1,
}
const MANILA = 'Asia/Manila'
const stopAt = (tx: Database, time: string) => sql.raw(stopClockAt(`'${time}'`)).execute(tx)
const found = async (tx: Database, id: number, range: 'day' | 'month' = 'day', zone = MANILA) =>
  (await findFigures(tx, id, range, zone)).filter((row): row is FigureRow => row.kind !== null)

test('figures of the id, the secret code and the partner code of a partner add up; a limit keeps its highest', () =>
  rolledBack(database, async (tx) => {
    // Otherwise an hour may end in between, and the figures would be of two.
    await stopAt(tx, '2030-05-01T16:00Z')
    const { partner, otherPartner } = await addParties(tx)
    const { id: partner_id, secret_code, partner_code } = partner
    const named = [{ partner_id }, { secret_code }, { partner_code }, { partner_code: 'unknown' }]
    const figures = named.map((name) => ({ ...FIGURE, ...name }))
    await addFigures(tx, figures)
    await addFigures(tx, figures)
    for (const count of [60, 80, 70])
      await addFigures(tx, [{ ...FIGURE, partner_id, kind: 'limit', operation: 'x', count }])
    const counts = (await found(tx, partner.id)).map(({ kind, count }) => ({ [kind]: count }))
    expect(Object.assign({}, ...counts)).toEqual({ request: 6, limit: 80 })
    expect(await found(tx, otherPartner.id)).toEqual([])
  }))

test('24 hours by hour, 30 days by the days of the time zone, the oldest first, and none beyond', () =>
  rolledBack(database, async (tx) => {
    const { partner } = await addParties(tx)
    const add = () => addFigures(tx, [{ ...FIGURE, partner_id: partner.id }])
    for (const time of ['2030-05-01T15:59Z', '2030-05-01T16:00Z', '2030-05-02T18:10Z', '2030-05-03T15:10Z']) {
      await stopAt(tx, time)
      await add()
    }
    const startsOf = async (range: 'day' | 'month', zone = MANILA) =>
      (await found(tx, partner.id, range, zone)).map((row) => row.starts_at.toISOString().slice(0, 16))
    expect(await startsOf('day')).toEqual(['2030-05-02T18:00', '2030-05-03T15:00'])
    expect(await startsOf('month')).toEqual(['2030-04-30T16:00', '2030-05-01T16:00', '2030-05-02T16:00'])
    // Midnight there is 18:30 in UTC: the day has the whole hour.
    expect(await startsOf('month', 'Asia/Kolkata')).toEqual(['2030-04-30T18:30', '2030-05-02T18:30'])
    const steps = await findFigures(tx, partner.id, 'month', MANILA)
    expect([steps.length, steps.at(-1)!.starts_at.toISOString()]).toEqual([30, '2030-05-02T16:00:00.000Z'])
    await stopAt(tx, '2030-05-31T15:59Z')
    expect(await startsOf('month')).toEqual(['2030-05-01T16:00', '2030-05-02T16:00'])
    // With a day to answer and some hours behind, the 2nd of May is the oldest day of `countRecordsByDay` until then.
    await stopAt(tx, '2030-06-02T22:00Z')
    expect(await deleteOldFigures(tx, 100)).toBe(0)
    await stopAt(tx, '2030-06-04T00:00Z')
    expect(await deleteOldFigures(tx, 100)).toBe(2)
    expect(await deleteOldFigures(tx, 100)).toBe(0)
  }))

const ANSWER_SECONDS = 300
/** From when on records are counted, and the time of the database. */
async function countFrom(tx: Database, from: string, now: string): Promise<void> {
  await sql`update counted_records set until_second = extract(epoch from ${from}::timestamptz)`.execute(tx)
  await stopAt(tx, now)
}

const readUntil = async (tx: Database) =>
  (await read<{ until: Date }>(tx, 'select to_timestamp(until_second) as until from counted_records'))[0]!
    .until

/** Stops the clock at the time. */
async function addRecordAt(tx: Database, time: string, partner: Row, citizen: Row, values: object) {
  await stopAt(tx, time)
  const tracking_no = sql`timed_tracking_no(md5(random()::text), clock_now())`
  await addRecord(tx, partner, citizen, { tracking_no, requested_at: sql`clock_now()`, ...values })
}

test('each record is counted once, after its citizen can answer no more, on the day of its request', () =>
  rolledBack(database, async (tx) => {
    const { partner, otherPartner, citizen } = await addParties(tx)
    const add = (time: string, values: object, of = partner) => addRecordAt(tx, time, of, citizen, values)
    // 16:00 is midnight in Manila.
    await add('2030-05-01T15:59:59Z', ACCEPTED)
    await add('2030-05-01T16:00:00Z', { ...ACCEPTED, state: 'REVOKED' })
    await add('2030-05-01T16:00:01Z', { state: 'DECLINED' })
    await add('2030-05-01T16:01:00Z', { state: 'PENDING' })
    await add('2030-05-01T16:01:00Z', { state: 'CANCELLED' })
    await add('2030-05-01T16:01:00Z', { state: 'VIEWED', scope: 'PROFILE_VIEW' })
    await add('2030-05-01T16:02:00Z', { state: 'EXPIRED' }, otherPartner)
    const countAll = async () => {
      while (await countEndedRecords(tx, ANSWER_SECONDS));
    }
    const readCounts = async (id = partner.id) =>
      read(
        tx,
        `select hour * 3600 - extract(epoch from '2030-05-01T15:00Z'::timestamptz)::int as second, outcome, count
           from partner_figure where partner_id = ${id} and kind = 'record' order by 1, 2`,
      )
    await countFrom(tx, '2030-05-01T15:55Z', '2030-05-01T16:06:01Z')
    await countAll()
    expect(await readCounts()).toEqual([
      { second: 0, outcome: 'ACCEPTED', count: 1 },
      { second: 3600, outcome: 'ACCEPTED', count: 1 },
    ])
    await stopAt(tx, '2030-05-02T16:00Z')
    await countAll()
    await countAll()
    expect(await readCounts()).toEqual([
      { second: 0, outcome: 'ACCEPTED', count: 1 },
      { second: 3600, outcome: 'ACCEPTED', count: 1 },
      { second: 3600, outcome: 'CANCELLED', count: 1 },
      { second: 3600, outcome: 'DECLINED', count: 1 },
      { second: 3600, outcome: 'EXPIRED', count: 1 },
    ])
    expect(await readCounts(otherPartner.id)).toMatchObject([{ outcome: 'EXPIRED', count: 1 }])
    const last = async () => (await countRecordsByDay(tx, partner.id, MANILA)).at(-1)
    // The 2nd of May is not complete: records of its last minutes can still be pending.
    expect(await last()).toEqual({ date: '2030-05-01', accepted: 1, declined: 0, expired: 0, cancelled: 0 })
    await stopAt(tx, '2030-05-02T16:06Z')
    await countAll()
    expect(await last()).toEqual({ date: '2030-05-02', accepted: 1, declined: 1, expired: 1, cancelled: 1 })
    expect((await countRecordsByDay(tx, partner.id, MANILA)).length).toBe(30)
  }))

test('after a clock that was ahead, the hours from the present one on are counted again', () =>
  rolledBack(database, async (tx) => {
    const { partner, citizen } = await addParties(tx)
    for (const time of ['2030-04-30T22:59Z', '2030-04-30T23:01Z', '2030-04-30T23:50Z'])
      await addRecordAt(tx, time, partner, citizen, { state: 'DECLINED' })
    const countAll = async () => {
      while (await countEndedRecords(tx, ANSWER_SECONDS));
      return read<{ count: number }>(
        tx,
        `select count from partner_figure where kind = 'record' order by hour`,
      )
    }
    const once = [{ count: 1 }, { count: 2 }]
    await countFrom(tx, '2030-04-30T22:00Z', '2030-05-01T00:10Z')
    expect(await countAll()).toEqual(once)
    // A minute behind: it waits.
    await stopAt(tx, '2030-05-01T00:09Z')
    expect([await countAll(), await readUntil(tx)]).toEqual([once, new Date('2030-05-01T00:04Z')])
    await countFrom(tx, '2031-01-01T00:00Z', '2030-05-01T00:00Z')
    expect([await countAll(), await readUntil(tx)]).toEqual([once, new Date('2030-04-30T23:54Z')])
  }))

test('after a pause of days the empty time is skipped, up to six hours before the present', () =>
  rolledBack(database, async (tx) => {
    await addParties(tx)
    await countFrom(tx, '2030-05-01T00:00Z', '2030-05-09T00:06Z')
    expect(await countEndedRecords(tx, ANSWER_SECONDS)).toBe(true)
    expect(await readUntil(tx)).toEqual(new Date('2030-05-08T18:00Z'))
    // A minute, which one statement can count under load.
    expect(await countEndedRecords(tx, ANSWER_SECONDS)).toBe(true)
    expect(await readUntil(tx)).toEqual(new Date('2030-05-08T18:01Z'))
  }))

test('after hours in which counting failed each record is counted, also behind a slice without one', () =>
  rolledBack(database, async (tx) => {
    const { partner, citizen } = await addParties(tx)
    for (const time of ['2030-05-01T17:35Z', '2030-05-01T17:59:59Z'])
      await addRecordAt(tx, time, partner, citizen, { state: 'DECLINED' })
    await countFrom(tx, '2030-05-01T17:30Z', '2030-05-02T00:06Z')
    while ((await readUntil(tx)) < new Date('2030-05-01T18:00Z')) await countEndedRecords(tx, ANSWER_SECONDS)
    expect(await read(tx, `select count from partner_figure where kind = 'record'`)).toEqual([{ count: 2 }])
  }))
