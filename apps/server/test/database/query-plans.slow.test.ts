// Which rows PostgreSQL reads for a statement, also before it has analyzed the tables.
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { findPendingProfile } from '../../src/authorizations/answer/answer.sql.ts'
import type { Database } from '../../src/database/connect.ts'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

const INQUIRIES = 20
const MANY = 3_000

/** How often PostgreSQL has scanned the table, by each of its indexes or whole, and what it read. */
async function scansOf(db: Database, table: string): Promise<Map<string, { scans: number; rows: number }>> {
  const { rows } = await sql<{ name: string; scans: number; rows: number }>`
    select indexrelname as name, idx_scan as scans, idx_tup_read as rows
      from pg_stat_user_indexes where relname = ${table}
    union all
    select 'the whole table', seq_scan, seq_tup_read from pg_stat_user_tables where relname = ${table}`.execute(
    db,
  )
  return new Map(rows.map(({ name, ...scans }) => [name, scans]))
}

/** Waits until PostgreSQL reports so many new scans, and returns the way that it has taken most often. */
async function mostUsed(
  db: Database,
  table: string,
  least: number,
  before = new Map<string, { scans: number; rows: number }>(),
) {
  // PostgreSQL publishes the counts of its processes about once a second.
  return vi.waitFor(
    async () => {
      const used = [...(await scansOf(db, table))].map(([name, { scans, rows }]) => ({
        name,
        scans: scans - (before.get(name)?.scans ?? 0),
        rows: rows - (before.get(name)?.rows ?? 0),
      }))
      const most = used.toSorted((a, b) => b.scans - a.scans)[0]!
      if (most.scans < least)
        throw new Error(
          `PostgreSQL reports ${most.scans} scans of ${table} by ${most.name}, fewer than ${least}.`,
        )
      return most
    },
    { timeout: 60_000, interval: 200 },
  )
}

test('an inquiry reads only its own record, however many records the partner has', async () => {
  const service = await startService(inject('postgres'), { TIWALA_POLL_INTERVAL_SECONDS: '0' })
  const api = await createApiClient(service.url)
  const trackingNo = await api.createPendingRecord()
  const inquireOften = async () => {
    for (let count = 0; count < INQUIRIES; count++) expect((await api.inquire(trackingNo)).status).toBe(200)
  }
  await sql`
    insert into authorization_record
    select (jsonb_populate_record(r, jsonb_build_object(
              'id', n, 'tracking_no', left(r.tracking_no, 9) || lpad(n::text, 17, '0'), 'qr_value', 'QR' || n))).*
      from authorization_record r, generate_series(1, 300) n`.execute(service.db)
  // PostgreSQL keeps the plan from the sixth execution on.
  await inquireOften()
  const { rows: partitions } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from authorization_record where id = 1`.execute(service.db)
  const { name: partition } = partitions[0]!
  const before = await scansOf(service.db, partition)
  await inquireOften()
  const { name, scans, rows } = await mostUsed(service.db, partition, INQUIRIES, before)
  const index = `${partition}_partner_id_tracking_no_key`
  expect(name, `an inquiry must read authorization_record by ${index}, but reads ${name}`).toBe(index)
  expect(rows / scans, `rows that an inquiry reads by ${index}`).toBeLessThan(2)
  await service.close()
})

test('an answer reads no record of another citizen, however many are pending since the table was analyzed', async () => {
  const service = await startService(inject('postgres'))
  const { db } = service
  const tracking = await (await createApiClient(service.url)).createPendingRecord()
  await sql`update authorization_record set state = 'EXPIRED'`.execute(db)
  await sql`analyze authorization_record`.execute(db)
  await sql`update authorization_record set state = 'PENDING'`.execute(db)
  const { rows: citizens } = await sql<{ hmac: string }>`
    select uniqid_hmac as hmac from authorization_record r join citizen c on c.id = r.citizen_id`.execute(db)
  await sql`
    insert into authorization_record
    select (jsonb_populate_record(r, jsonb_build_object(
              'id', n, 'tracking_no', left(r.tracking_no, 9) || lpad(n::text, 17, '0'), 'qr_value', 'QR' || n,
              'citizen_id', (select max(id) from citizen)))).*
      from authorization_record r, generate_series(1, ${MANY}::int) n`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const countRead = async () => {
      const { rows } = await sql<{ read: number }>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
          from pg_stat_xact_user_tables where relname ~ '^authorization_record'`.execute(tx)
      return rows[0]!.read
    }
    const before = await countRead()
    expect(await findPendingProfile(tx, [citizens[0]!.hmac], tracking)).toBeDefined()
    expect((await countRead()) - before, 'records that the answer has read').toBeLessThan(5)
  })
  await service.close()
})

test('each request for one record reads the partition of its day only', async () => {
  const service = await startService(inject('postgres'), { TIWALA_POLL_INTERVAL_SECONDS: '0' })
  const api = await createApiClient(service.url)
  const { send, asCitizen, asPartner } = api
  const ofRecord = async (
    id: 'readAuthorization' | 'revokeAuthorization' | 'declineAuthorization',
    tracking_no: string,
  ) => (await send(id, { headers: asCitizen, path: { tracking_no } })).status
  const requests = async () => {
    const [accepted, cancelled] = [await api.createPendingRecord(), await api.createPendingRecord()]
    const qrValue = await api.issueQrValue('inquire')
    const shared = await api.issueQrValue('share')
    const path = { tracking_no: cancelled }
    const statuses = [
      (await api.inquire(accepted)).status,
      (await api.accept(accepted)).status,
      (await api.inquire(accepted)).status,
      await ofRecord('readAuthorization', accepted),
      await ofRecord('revokeAuthorization', accepted),
      (await send('cancelAuthorization', { headers: asPartner, path })).status,
      await ofRecord('declineAuthorization', await api.createPendingRecord()),
      (await api.request(qrValue)).status,
      (await api.request(qrValue)).status,
      (await api.viewByQr(shared)).status,
      (await api.viewByQr(shared)).status,
    ]
    expect(statuses).toEqual(Array(11).fill(200))
  }
  const { rows: others } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
     where relname ~ '^authorization_record_' and right(relname, 8) not in (
       select to_char(clock_now() at time zone 'UTC' - make_interval(days => n), 'YYYYMMDD') from generate_series(0, 1) n
     )`.execute(service.db)
  // Periodic tasks read other indexes, in all partitions.
  const scans = async () => {
    const all = await Promise.all(others.map(async ({ name }) => [...(await scansOf(service.db, name))]))
    return all.flat().filter(([name, counts]) => counts.scans > 0 && /tracking_no|citizen|whole/.test(name))
  }
  // PostgreSQL keeps the plan from the sixth execution on.
  for (let round = 0; round < 7; round++) await requests()
  expect(others.length).toBeGreaterThan(7)
  await vi.waitFor(async () => {
    const { rows } = await sql<{ scans: number }>`
      select sum(idx_scan)::int as scans from pg_stat_user_indexes
       where indexrelname ~ '^authorization_record_\\d{8}_partner_id_tracking_no_key$'`.execute(service.db)
    expect(rows[0]!.scans).toBeGreaterThan(7 * 11)
  }, 20_000)
  expect(await scans()).toEqual([])
  await service.close()
})

test('sealing reads each unsealed event about once, however many there are', async () => {
  const service = await startService(inject('postgres'))
  const { db } = service
  await sql`
    insert into audit_event (kind, request_id)
    select 'profile.viewed', 'req_' || n from generate_series(1, ${MANY}::int) n`.execute(db)
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ leaves: number }>`select count(*) as leaves from audit_leaf`.execute(db)
      expect(rows[0]!.leaves, 'events that are sealed').toBe(MANY)
    },
    { timeout: 60_000, interval: 200 },
  )
  const { rows: partitions } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from audit_leaf limit 1`.execute(db)
  const { name: partition } = partitions[0]!
  const { name, scans } = await mostUsed(db, partition, MANY)
  const index = `${partition}_event_id_key`
  expect(name, `sealing must look up audit_leaf by ${index}, but reads ${name}`).toBe(index)
  expect(scans, `lookups of ${MANY} events in ${index}`).toBeLessThan(2 * MANY)
  await service.close()
})
