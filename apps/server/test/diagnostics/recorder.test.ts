// How the recorder stores refusals after their response. A fake driver replaces the database.
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startRecorder } from '../../src/diagnostics/recorder.ts'
import type { Refusal } from '../../src/diagnostics/refusal.ts'
import { Failure } from '../../src/failure.ts'
import type { Service } from '../../src/operation.ts'
import { fakeDatabase } from '../kit/fake-database.ts'

/** A database that knows every partner, and collects the inserted diagnoses. */
function database(response: () => Promise<void> = async () => {}) {
  const batches: { request_id: string }[][] = []
  const db = fakeDatabase(async ({ sql, parameters: [json] }) => {
    await response()
    const rows = JSON.parse(String(json)) as { index: number; partner_id: number; request_id: string }[]
    if (sql.includes('insert into diagnosis')) batches.push(rows)
    return rows.map(({ index, partner_id }) => ({ index, partner_id, occurred_at: new Date() }))
  })
  return { batches, db }
}

const start = (db: Kysely<unknown>, diagnosesPerMinute = 60) =>
  startRecorder({ db, config: { diagnosesPerMinute }, log: pino({ level: 'silent' }) } as unknown as Service)

const refusal = (id: number, place = 0): Refusal => ({
  requestId: `req_${id}_${place}`,
  operation: 'inquire',
  failure: new Failure('tracking_no_not_found'),
  passed: [],
  partner: { id, isAuthenticated: true },
  presented: {},
  address: undefined,
})

test('a refusal that was noted just before the stop is written', async () => {
  const { batches, db } = database()
  const recorder = start(db)
  recorder.record(refusal(1))
  await recorder.stop()
  expect(batches).toMatchObject([[{ request_id: 'req_1_0', error: 'tracking_no_not_found' }]])
})

test('a flood of refusals is limited per partner and in total', async () => {
  const { batches, db } = database()
  const recorder = start(db, 2)
  for (let id = 1; id <= 2_000; id++)
    for (let place = 0; place < 3; place++) recorder.record(refusal(id, place))
  await recorder.stop()
  expect(batches.map((batch) => batch.length)).toEqual([1_000])
  expect(batches[0]!.map(({ request_id }) => request_id).slice(0, 4)).toEqual([
    'req_1_0',
    'req_1_1',
    'req_2_0',
    'req_2_1',
  ])
})

test('refusals that only name a partner take no room and no budget from partners that authenticated', async () => {
  const { batches, db } = database()
  const recorder = start(db, 2)
  for (let count = 0; count < 20_000; count++) {
    const partner = { secretCode: `twc_${count}` }
    recorder.record({ ...refusal(0, count), partner })
  }
  for (let id = 1; id <= 100; id++) recorder.record(refusal(id))
  await recorder.stop()
  const stored = batches.flat().map(({ request_id }) => request_id)
  expect(stored.filter((id) => id.startsWith('req_0_'))).toHaveLength(500)
  expect(stored.filter((id) => !id.startsWith('req_0_'))).toHaveLength(100)
})

test('refusals of a stolen access token take no budget from its partner', async () => {
  const { batches, db } = database()
  const recorder = start(db, 2)
  for (let place = 0; place < 3; place++)
    recorder.record({ ...refusal(1, place), partner: { id: 1, isAuthenticated: false } })
  recorder.record(refusal(1, 3))
  await recorder.stop()
  expect(batches.flat().map(({ request_id }) => request_id)).toEqual(['req_1_0', 'req_1_1', 'req_1_3'])
})

test('a text that looks like an escaped NUL is stored unchanged', async () => {
  const { batches, db } = database()
  const recorder = start(db)
  const address = String.raw`\u0000`
  recorder.record({ ...refusal(1), failure: new Failure('ip_not_allowed'), address })
  await recorder.stop()
  expect(batches).toMatchObject([
    [
      {
        checks: expect.arrayContaining([
          { check: 'address', outcome: 'failed', detail: `the request came from ${address}` },
        ]),
      },
    ],
  ])
})

test('a database error loses one batch and no more', async () => {
  const firstQuery = Promise.withResolvers<void>()
  let isDown = true
  const { batches, db } = database(async () => {
    firstQuery.resolve()
    if (isDown) throw new Error('not now')
  })
  const recorder = start(db)
  recorder.record(refusal(1))
  await firstQuery.promise
  isDown = false
  recorder.record(refusal(2))
  await recorder.stop()
  expect(batches).toMatchObject([[{ request_id: 'req_2_0' }]])
})
