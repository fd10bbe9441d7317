// The order in which the audit is sealed with several connections and processes, and after a restore.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test, vi } from 'vitest'
import type { Database } from '../src/database/connect.ts'
import { startService } from '../src/testing/start-service.ts'
import { createApiClient } from '../test/kit/api-client.ts'
import { settingsOf } from '../test/kit/database-url.ts'
import { startReadyProcess } from '../test/kit/server-process.ts'

const PASSES_MS = 2_500
/** The test starts two more processes. */
const TWO_STARTS_MS = 90_000
const POLLING = { timeout: 10_000, interval: 20 }

async function startAuditedService() {
  const { url, db, config, close } = await startService(inject('postgres'))
  const { asOperator, send } = await createApiClient(url)
  const verify = async () =>
    (await (await send('verifyAudit', { headers: asOperator })).json()) as {
      checked_rows: number
      first_fault: unknown
    }
  return { db, settings: await settingsOf({ db, config }), verify, [Symbol.asyncDispose]: close }
}

const insert = (requestId: string) =>
  `insert into audit_event (kind, request_id) values ('profile.viewed', '${requestId}')`
/** The events in the order in which they were sealed. */
async function sealed(db: Database): Promise<string[]> {
  const { rows } = await sql<{ request_id: string }>`
    select e.request_id from audit_leaf l join audit_event e on e.id = l.event_id
     order by l.checkpoint, l.position`.execute(db)
  return rows.map(({ request_id }) => request_id)
}

test('an event of a slow transaction is sealed in order: no later event is sealed before it', async () => {
  await using service = await startAuditedService()
  const { db, settings, verify } = service
  const slow = new pg.Client(settings.DATABASE_URL)
  await slow.connect()
  await sql.raw(insert('before')).execute(db)
  await slow.query('begin')
  await slow.query(insert('slow'))
  await sql.raw(insert('behind')).execute(db)
  await vi.waitUntil(async () => (await sealed(db)).includes('before'), POLLING)
  await sleep(PASSES_MS)
  expect(await sealed(db)).toEqual(['before'])
  await slow.query('commit')
  await slow.end()
  await vi.waitUntil(async () => (await sealed(db)).length === 3, POLLING)
  expect([await sealed(db), await verify()]).toEqual([
    ['before', 'slow', 'behind'],
    expect.objectContaining({ checked_rows: 3, first_fault: null }),
  ])
})

test(
  'several processes seal one at a time: each event once, in one chain',
  async () => {
    await using service = await startAuditedService()
    const { db, settings, verify } = service
    await using first = await startReadyProcess(settings)
    await using second = await startReadyProcess(settings)
    expect(first.url).not.toBe(second.url)
    const ids: string[] = []
    const endMs = performance.now() + PASSES_MS
    while (performance.now() < endMs) {
      ids.push(`req_${ids.length}`)
      await sql.raw(insert(ids.at(-1)!)).execute(db)
      await sleep(5)
    }
    await vi.waitUntil(async () => (await sealed(db)).length === ids.length, POLLING)
    expect(await sealed(db)).toEqual(ids)
    expect(await verify()).toMatchObject({ checked_rows: ids.length, first_fault: null })
  },
  TWO_STARTS_MS,
)

test('events restored into a PostgreSQL whose transaction ids begin again are sealed', async () => {
  await using service = await startAuditedService()
  const { db, verify } = service
  // As after a restored dump: the transaction ids are higher than any id here. One event is sealed, one is
  // not.
  const restored = (requestId: string) =>
    `insert into audit_event (xid, kind, request_id) values ('90000000000', 'profile.viewed', '${requestId}')`
  await sql.raw(restored('sealed before')).execute(db)
  await vi.waitUntil(async () => (await sealed(db)).length === 1, POLLING)
  await sql.raw(restored('unsealed before')).execute(db)
  await sql.raw(insert('since')).execute(db)
  await vi.waitUntil(async () => (await sealed(db)).length === 3, POLLING)
  await sql.raw(insert('later')).execute(db)
  await vi.waitUntil(async () => (await sealed(db)).length === 4, POLLING)
  expect((await sealed(db)).toSorted()).toEqual(['later', 'sealed before', 'since', 'unsealed before'])
  expect(await verify()).toMatchObject({ checked_rows: 4, first_fault: null })
})
