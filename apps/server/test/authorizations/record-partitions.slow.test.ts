// The daily partitions of the records, and the time in a tracking number.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import {
  countDaysAhead,
  DAYS_AHEAD,
  makeRecordPartitions,
} from '../../src/authorizations/record-partitions.sql.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const KEPT_DAYS = 90
const DAY_SECONDS = 86_400
const SOON = { timeout: 60_000, interval: 20 }

// Housekeeping makes and drops partitions, too.
const { service, api } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '0' })
const { db } = service

/** The partition of a record, the second in which it was requested as its number shows it, and the number's end. */
async function readRecord(trackingNo: string) {
  const { rows } = await sql<{ partition: string; time: string; random_no: string }>`
    select r.tableoid::regclass::text as partition, tracking_time(r.requested_at) as time,
           timed_tracking_no(r.tracking_no, r.requested_at) as random_no
      from authorization_record r where r.tracking_no = ${trackingNo}`.execute(db)
  return rows[0]
}

/** The partition of today, or of a later day. */
const today = async (days = 0) =>
  (
    await sql<{ name: string }>`
      select 'authorization_record_' || to_char(clock_now() at time zone 'UTC' + make_interval(days => ${days}), 'YYYYMMDD') as name`.execute(
      db,
    )
  ).rows[0]!.name

const answered = async (trackingNo: string) => [
  (await api.inquire(trackingNo)).status,
  (await api.accept(trackingNo)).status,
  (await api.inquire(trackingNo)).status,
]

test.each(['inquire', 'share'] as const)(
  '200: a tracking number has the time of its record, not that of the QR value (%s)',
  async (purpose) => {
    const qrValue = await api.issueQrValue(purpose)
    await service.advance(30)
    const response = await (purpose === 'share' ? api.viewByQr(qrValue) : api.request(qrValue))
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: { tracking_no: string } }
    const record = await readRecord(data.tracking_no)
    // A number of a QR value to share is made when the value is read, milliseconds before the record.
    expect(data.tracking_no.slice(0, 7) <= record!.time).toBe(true)
    expect(record!.time.slice(0, 6)).toBe(data.tracking_no.slice(0, 6))
    expect(data.tracking_no.slice(7, 9)).toBe('00')
  },
)

test('tracking_time is ordered by time, in seconds since 2026', async () => {
  const { rows } = await sql<{ first: string; second: string; last: string }>`
    select tracking_time('2026-01-01T00:00:00Z') as first, tracking_time('2026-01-01T00:00:32.9Z') as second,
           tracking_time('2060-01-01T00:00:00Z') as last`.execute(db)
  expect(rows[0]).toEqual({ first: '0000000', second: '0000010', last: '0ZZ6RR0' })
})

test('200: two records with the same random id do not fail each other', async () => {
  const first = await api.createPendingRecord()
  const qrValue = await api.issueQrValue('inquire')
  await sql`
    update qr_code set record_id = (select id from authorization_record where tracking_no = ${first})
     where used_at is null`.execute(db)
  const response = await api.request(qrValue)
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: { tracking_no: string } }
  expect(await answered(data.tracking_no)).toEqual([200, 200, 200])
  expect(await answered(first)).toEqual([200, 200, 200])
})

test('200: a record whose partition is missing is not lost, and housekeeping makes those of the next days', async () => {
  const before = await api.createPendingRecord()
  await service.advance((DAYS_AHEAD + 3) * DAY_SECONDS)
  await expect.poll(() => countDaysAhead(db), SOON).toBe(DAYS_AHEAD)
  const name = await today()
  for (const partition of [name, await today(1)]) await sql`drop table ${sql.table(partition)}`.execute(db)
  expect(await countDaysAhead(db)).toBe(0)
  const missed = await api.createPendingRecord()
  // Until no request has the lock for 0.1 s, as housekeeping does.
  await vi.waitFor(() => makeRecordPartitions(db), 60_000)
  expect(await countDaysAhead(db)).toBe(DAYS_AHEAD)
  expect(await readRecord(missed)).toMatchObject({ partition: 'authorization_record_default' })
  expect(await answered(missed)).toEqual([200, 200, 200])
  expect((await api.inquire(before)).status).toBe(200)
  await service.advance(DAY_SECONDS)
  expect(await readRecord(await api.createPendingRecord())).toMatchObject({ partition: await today() })
})

test('an earlier record with a random number moves to the partition that is made for its range', async () => {
  const { rows } = await sql<{ tracking_no: string }>`
    insert into authorization_record (id, partner_id, citizen_id, tracking_no, scope, state, qr_value, requested_at, expires_at)
    select 1, partner_id, citizen_id, tracking_time(clock_now() + interval '30 days') || 'XYABCDEFGHJKMNPQRST', scope, 'DECLINED',
           '', clock_now(), clock_now()
      from authorization_record limit 1 returning tracking_no`.execute(db)
  expect(await readRecord(rows[0]!.tracking_no)).toMatchObject({ partition: 'authorization_record_default' })
  const make = sql`select make_record_partition((clock_now() at time zone 'UTC')::date + 30)`
  await vi.waitFor(() => make.execute(db), 60_000)
  expect(await readRecord(rows[0]!.tracking_no)).toMatchObject({ partition: await today(30) })
})

/** A task that missed its lock would run again only after half a minute. */
const readLater = async (trackingNo: string) => (await service.advance(1), readRecord(trackingNo))

test('a day ends when its records are old: they are dropped at once, and those that were revoked later stay', async () => {
  await expect.poll(() => countDaysAhead(db), SOON).toBe(DAYS_AHEAD)
  const [declined, revoked] = [await api.createPendingRecord(), await api.createPendingRecord()]
  const headers = api.asCitizen
  expect((await api.send('declineAuthorization', { headers, path: { tracking_no: declined } })).status).toBe(
    200,
  )
  expect(await answered(revoked)).toEqual([200, 200, 200])
  const { partition } = (await readRecord(declined))!
  await service.advance(KEPT_DAYS * DAY_SECONDS)
  expect((await api.send('revokeAuthorization', { headers, path: { tracking_no: revoked } })).status).toBe(
    200,
  )
  expect(await readRecord(declined)).toMatchObject({ partition })
  await service.advance(DAY_SECONDS)
  await expect.poll(() => readLater(declined), { ...SOON, interval: 500 }).toBeUndefined()
  expect(await readRecord(revoked)).toMatchObject({ partition: 'authorization_record_default' })
  expect(await (await api.inquire(revoked)).json()).toMatchObject({ data: { is_accepted: 0 } })
  await service.advance(KEPT_DAYS * DAY_SECONDS)
  await expect.poll(() => readLater(revoked), { ...SOON, interval: 500 }).toBeUndefined()
})
