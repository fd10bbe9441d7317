// The monthly partitions of the audit, and the month in the id of an event.
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test, vi } from 'vitest'
import {
  countMonthsAhead,
  idFloorOf,
  MONTHS_AHEAD,
  splitAuditDefault,
} from '../../src/audit/audit-partitions.sql.ts'
import { readStatement } from '../../src/audit/checkpoints/checkpoint.ts'
import { findSealedEvent } from '../../src/audit/proof/prove-event.sql.ts'
import {
  countUnsealed,
  findLatest,
  readUnsealed,
  readUnsealedSeconds,
  SEALING_LOCK_KEY,
} from '../../src/audit/sealing/sealing.sql.ts'
import { countDaysAhead, DAYS_AHEAD } from '../../src/authorizations/record-partitions.sql.ts'
import { databaseUrl } from '../../src/testing/database.ts'
import { advanceMonths } from '../kit/advance-months.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { databaseUrlOf } from '../kit/database-url.ts'

const SOON = { timeout: 60_000, interval: 20 }
/** Housekeeping that waited too long for a lock tries again after half a minute, on a busy machine several times. */
const AFTER_RETRIES = { timeout: 150_000, interval: 20 }

// Housekeeping makes partitions, too.
const { service, api } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '0' })
const { db } = service

/** The name of this month or a later one in the names of partitions. */
const monthName = async (ahead = 0) =>
  (
    await sql<{ name: string }>`
      select to_char((clock_now() at time zone 'UTC') + make_interval(months => ${ahead}::int), 'YYYYMM') as name`.execute(
      db,
    )
  ).rows[0]!.name

const newestEvent = async () =>
  (
    await sql<{ id: number; partition: string; occurred_at: Date; leaf_partition: string | null }>`
      select e.id, e.tableoid::regclass::text as partition, e.occurred_at,
             (select tableoid::regclass::text from audit_leaf where event_id = e.id) as leaf_partition
        from audit_event e order by e.id desc limit 1`.execute(db)
  ).rows[0]!

/** Until all partitions are made: a request fails whose record's partition is made at this moment. */
async function advance(months: number) {
  await advanceMonths(service, months)
  await expect.poll(() => countDaysAhead(db), AFTER_RETRIES).toBe(DAYS_AHEAD)
  await expect.poll(() => countMonthsAhead(db), AFTER_RETRIES).toBe(MONTHS_AHEAD)
}

const verify = async () => (await api.operator('verifyAudit', { query: {} })).body

const isSealed = async () => {
  await expect.poll(async () => (await verify()).unsealed_rows, SOON).toBe(0)
}

/** Until no request has the lock for 0.1 s, as housekeeping does. */
const split = (maxRows: number) => vi.waitFor(() => splitAuditDefault(db, maxRows), 60_000)

/** Every way to disclose, and what leads to it. */
async function disclose() {
  const trackingNo = await api.createPendingRecord()
  const statuses = [
    (await api.accept(trackingNo)).status,
    (await api.inquire(trackingNo)).status,
    (await api.viewByQr(await api.issueQrValue('share'))).status,
    (await api.signIn(await api.issueAccessToken())).status,
  ]
  expect(statuses).toEqual([200, 200, 200, 200])
}

test('the id of an event says its month, and the event and its leaf lie in the partition of it', async () => {
  await api.issueQrValue('inquire')
  await isSealed()
  const { id, occurred_at, partition, leaf_partition } = await newestEvent()
  const name = await monthName()
  expect([partition, leaf_partition]).toEqual([`audit_event_${name}`, `audit_leaf_${name}`])
  const floor = idFloorOf(occurred_at.toISOString())
  expect(id).toBeGreaterThan(floor)
  const { rows } = await sql<{ floor: number; before: number; last: number }>`
    select audit_id_floor(${occurred_at}) as floor, audit_id_floor('2025-12-31T23:59:59Z') as before,
           audit_id_floor('2360-12-31T23:59:59.999Z') as last`.execute(db)
  expect(rows[0]).toEqual({ floor, before: 2 ** 41, last: idFloorOf('2360-12') })
  expect(idFloorOf('2360-12') + 2 ** 41 - 1).toBeLessThan(Number.MAX_SAFE_INTEGER)
})

test(
  '200: an event whose partition is missing is not lost, and housekeeping makes those of the next months',
  { timeout: 400_000 },
  async () => {
    // No partition of this month was made ahead.
    await advance(MONTHS_AHEAD + 1)
    await disclose()
    await isSealed()
    const missed = { partition: 'audit_event_default', leaf_partition: 'audit_leaf_default' }
    const newest = await newestEvent()
    expect(newest).toMatchObject(missed)
    expect(await split(0)).toBe(false)
    const name = await monthName()
    await split(2 ** 30)
    expect(await split(2 ** 30)).toBe(false)
    const moved = { partition: `audit_event_${name}`, leaf_partition: `audit_leaf_${name}` }
    expect(await newestEvent()).toEqual({ ...newest, ...moved })
    await disclose()
    await isSealed()
    expect(await newestEvent()).toMatchObject(moved)
    // Both partitions of both tables are insert-only, as before.
    for (const table of ['event', 'leaf'].flatMap((each) => [
      `audit_${each}_${name}`,
      `audit_${each}_default`,
    ]))
      for (const change of [`delete from ${table}`, `truncate ${table}`])
        await expect(sql.raw(change).execute(db)).rejects.toThrow('insert')
    await advance(1)
    await disclose()
    await isSealed()
    expect(await newestEvent()).toMatchObject({ partition: `audit_event_${await monthName()}` })
    expect((await verify()).first_fault).toBeNull()
  },
)

test(
  'disclosures and sealing do not wait for a partition of an earlier month than the last one',
  { timeout: 400_000 },
  async () => {
    await advance(1)
    await disclose()
    await isSealed()
    const { rows } = await sql<{ name: string; database: string }>`
    select relname as name, current_database() as database from pg_class
     where relispartition and relkind = 'r' and relname ~ '^audit_(event|leaf)_(\\d{6}|past)$'
       and (relname ~ 'past$' or right(relname, 6) < ${await monthName(-1)})`.execute(db)
    expect(rows.length).toBeGreaterThanOrEqual(10)
    const other = new pg.Client(databaseUrl(inject('postgres').url, rows[0]!.database))
    await other.connect()
    await other.query(`begin; lock table ${rows.map(({ name }) => name).join()} in access exclusive mode`)
    // PostgreSQL keeps the plan of a statement from its sixth execution on.
    for (let round = 0; round < 7; round++) await disclose()
    // Nothing is sealed while the other transaction runs, but the next events are found.
    const { sealed_until } = (await findLatest(db))!
    expect(sealed_until!.id).toBeGreaterThan(2 ** 41)
    expect(await countUnsealed(db, sealed_until, 10)).toBe(10)
    expect((await readUnsealed(db, sealed_until, 10)).length).toBeLessThan(11)
    expect(await readUnsealedSeconds(db)).toBeGreaterThan(0)
    await other.query('rollback')
    await other.end()
    expect((await verify()).first_fault).toBeNull()
  },
)

test('events are sealed after the clock of the database was months ahead or behind for a moment', async () => {
  const addEvent = (move: string) =>
    db.transaction().execute(async (tx) => {
      const moveClock = (sign: '+' | '-') =>
        sql`update clock set advance = advance ${sql.raw(sign)} ${move}::interval`.execute(tx)
      await moveClock('+')
      const { rows } = await sql<{ id: number }>`
        insert into audit_event (kind, request_id) values ('test', 'test') returning id`.execute(tx)
      await moveClock('-')
      return rows[0]!.id
    })
  const areSealed = async (...ids: number[]) => {
    const countLeaves = async () =>
      (await sql`select from audit_leaf where event_id = any(${ids})`.execute(db)).rows.length
    await expect.poll(countLeaves, SOON).toBe(ids.length)
  }
  const sealing = new pg.Client(await databaseUrlOf(service))
  await sealing.connect()
  await sealing.query('select pg_advisory_lock($1)', [SEALING_LOCK_KEY])
  const together = [await addEvent('7 months'), await addEvent('0')] as const
  await sealing.end()
  await areSealed(...together)
  // The proof of an event needs all leaves of its checkpoint.
  const { hashes, ...checkpoint } = (await findSealedEvent(db, together[1]))!
  const { first_position, last_position } = readStatement(checkpoint)
  expect(hashes).toHaveLength(last_position - first_position + 1)
  await areSealed(await addEvent('0'))
  const { first_fault } = await verify()
  expect(first_fault).toMatchObject({ what: 'event_misdated', event: together[0] })
  const after = { from_checkpoint: first_fault!.checkpoint + 1 }
  expect((await api.operator('verifyAudit', { query: after })).body.first_fault).toBeNull()
  await areSealed(await addEvent('-13 months'), await addEvent('0'))
  await areSealed(await addEvent('0'))
})
