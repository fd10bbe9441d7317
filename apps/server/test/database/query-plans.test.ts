// Which rows PostgreSQL reads for a statement, also before it has analyzed the tables.
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

const INQUIRIES = 20
const MANY = 3_000

test('an inquiry reads only its own record, however many records the partner has', async () => {
  const service = await startService(inject('postgres'), { TIWALA_POLL_INTERVAL_SECONDS: '0' })
  const api = await createApiClient(service.url)
  const trackingNo = await api.createPendingRecord()
  const readIndexUse = async () => {
    const { rows } = await sql<{ probes: number; entries: number }>`
      select idx_scan as probes, idx_tup_read as entries from pg_stat_user_indexes
       where indexrelname = 'authorization_record_partner_id_tracking_no_key'`.execute(service.db)
    return rows[0]!
  }
  const inquireOften = async () => {
    for (let count = 0; count < INQUIRIES; count++) expect((await api.inquire(trackingNo)).status).toBe(200)
  }
  await sql`
    insert into authorization_record
    select (jsonb_populate_record(r, jsonb_build_object(
              'id', n, 'tracking_no', 'NO' || n, 'qr_value', 'QR' || n))).*
      from authorization_record r, generate_series(1, 300) n`.execute(service.db)
  // PostgreSQL keeps the plan from the sixth execution on.
  await inquireOften()
  const before = await readIndexUse()
  await inquireOften()
  // PostgreSQL publishes the counts of its processes about once a second.
  const after = await vi.waitFor(async () => {
    const now = await readIndexUse()
    expect(now.probes - before.probes).toBeGreaterThanOrEqual(INQUIRIES)
    return now
  }, 60_000)
  expect((after.entries - before.entries) / (after.probes - before.probes)).toBeLessThan(2)
  await service.close()
})

test('sealing reads each unsealed event about once, however many there are', async () => {
  const service = await startService(inject('postgres'))
  const { db } = service
  await sql`
    insert into audit_event (kind, request_id)
    select 'profile.viewed', 'req_' || n from generate_series(1, ${MANY}::int) n`.execute(db)
  const readIndexUse = async () => {
    const { rows } = await sql<{ probes: number; leaves: number }>`
      select idx_scan as probes, (select count(*) from audit_leaf) as leaves
        from pg_stat_user_indexes where indexrelname = 'audit_leaf_event_id_key'`.execute(db)
    return rows[0]!
  }
  const { probes } = await vi.waitFor(
    async () => {
      const now = await readIndexUse()
      expect([now.leaves, now.probes]).toEqual([MANY, expect.toSatisfy((many: number) => many >= MANY)])
      return now
    },
    { timeout: 60_000, interval: 200 },
  )
  expect(probes).toBeLessThan(2 * MANY)
  await service.close()
})
