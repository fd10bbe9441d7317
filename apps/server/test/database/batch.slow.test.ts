// A batch sends many lookups in one statement. No caller may notice.
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { batched, unnestHmacs } from '../../src/database/batch.ts'
import type { Database } from '../../src/database/connect.ts'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

const NO_DATABASE = {} as Database
const databaseError = (code: string) => Object.assign(new Error('refused by the database'), { code })

/** Waits for one turn of the event loop. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/**
 * A batch function that returns `fine` with a row, `unknown` without one, and fails with any other input as
 * its code.
 */
function createRecordingBatch() {
  const batches: string[][] = []
  const gate = { open: () => {}, hold: () => void (opened = new Promise((resolve) => (gate.open = resolve))) }
  let opened = Promise.resolve()
  const lookUp = batched(async (_db, inputs: string[]) => {
    batches.push(inputs)
    await opened
    await nextTurn()
    const fault = inputs.find((input) => input !== 'fine' && input !== 'unknown')
    if (fault) throw databaseError(fault)
    return inputs.flatMap((input, index) => (input === 'fine' ? [{ input_no: index + 1, input }] : []))
  })
  return { batches, gate, lookUp: (input: string) => lookUp(NO_DATABASE, input) }
}

test('inputs with the same key are in different statements, and all get their results', async () => {
  const batches: string[][] = []
  const lookUp = batched(
    async (_db, inputs: string[]) => {
      batches.push(inputs)
      return inputs.map((input, index) => ({ input_no: index + 1, input }))
    },
    (input) => input[0]!,
  )
  const results = await Promise.all(['a1', 'b1', 'a2', 'a3'].map((input) => lookUp(NO_DATABASE, input)))
  expect(results.map((result) => result?.input)).toEqual(['a1', 'b1', 'a2', 'a3'])
  expect(batches).toEqual([['a1', 'b1'], ['a2'], ['a3']])
})

test('simultaneous lookups share a statement, and each gets its own result', async () => {
  const { batches, lookUp } = createRecordingBatch()
  const first = ['fine', 'unknown'].map(lookUp)
  await nextTurn()
  const results = await Promise.all([...first, ...['fine', 'unknown', 'fine'].map(lookUp)])
  expect(batches.map(({ length }) => length)).toEqual([2, 3])
  expect(results.map((result) => result?.input)).toEqual(['fine', undefined, 'fine', undefined, 'fine'])
})

test('many waiting lookups start a second statement beside a slow one, and never a third', async () => {
  const { batches, lookUp, gate } = createRecordingBatch()
  gate.hold()
  const waiting = [lookUp('fine')]
  await nextTurn()
  for (let count = 1; count <= 120; count++) waiting.push(lookUp('fine'))
  expect(batches.map(({ length }) => length)).toEqual([1, 24])
  gate.open()
  await Promise.all(waiting)
  expect(batches.map(({ length }) => length)).toEqual([1, 24, 96])
})

test('if a batch fails, each lookup is retried alone, and only the faulty one fails', async () => {
  const { batches, lookUp } = createRecordingBatch()
  const outcomes = await Promise.allSettled(['fine', 'fine', 'fine', '55P03', 'fine'].map(lookUp))
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(batches.map(({ length }) => length)).toEqual([5, 1, 1, 1, 1, 1])
})

test.each(['57014', '53300', '08006', 'ECONNRESET'])(
  '%s: a batch is not retried if it may have run, or if the database is overloaded',
  async (code) => {
    const { batches, lookUp } = createRecordingBatch()
    const outcomes = await Promise.allSettled(['fine', code].map(lookUp))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(batches.map(({ length }) => length)).toEqual([2])
  },
)

test('200, 503: a locked citizen delays no inquiry about another citizen', async () => {
  const { url, db, close } = await startService(inject('postgres'))
  const api = await createApiClient(url)
  const [locked, free] = api.citizens.slice(0, 2).map(({ token }) => ({ Authorization: `Bearer ${token}` }))
  const records = await Promise.all([locked, free].map((headers) => api.createPendingRecord(headers)))
  await Promise.all([api.accept(records[0]!, locked), api.accept(records[1]!, free)])
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select pg_advisory_xact_lock(1, citizen_id::int), set_config('idle_in_transaction_session_timeout', '60000', true)
        from authorization_record where tracking_no = ${records[0]}`.execute(tx)
    expect(rows).toHaveLength(1)
    const responses = await Promise.all(
      [...Array<number>(6).fill(0), ...Array<number>(6).fill(1)].map((which) => api.inquire(records[which]!)),
    )
    expect(responses.map(({ status }) => status)).toEqual([
      ...Array<number>(6).fill(503),
      ...Array<number>(6).fill(200),
    ])
  })
  expect((await api.inquire(records[0]!)).status).toBe(200)
  await close()
})

test('during a rotation of the pepper, each HMAC keeps the values of its own input', async () => {
  const { db, close } = await startService(inject('postgres'))
  const inputs = [
    { hmacs: ['new.a', 'old.a'], requestId: 'req_a', version: 1, traceparent: 'trace a' },
    { hmacs: ['new.b', 'old.b'], requestId: 'req_b', version: 2, traceparent: null },
  ]
  const values = unnestHmacs(inputs, ({ hmacs }) => hmacs, {
    request_id: ['text', ({ requestId }) => requestId],
    version: ['bigint', ({ version }) => version],
    traceparent: ['text', ({ traceparent }) => traceparent],
  })
  const { rows } = await sql`select i.* from ${values}`.execute(db)
  const [a, b] = [
    { input_no: 1, request_id: 'req_a', version: 1, traceparent: 'trace a' },
    { input_no: 2, request_id: 'req_b', version: 2, traceparent: null },
  ]
  expect(rows).toEqual([
    { ...a, hmac: 'new.a' },
    { ...a, hmac: 'old.a' },
    { ...b, hmac: 'new.b' },
    { ...b, hmac: 'old.b' },
  ])
  await close()
})
