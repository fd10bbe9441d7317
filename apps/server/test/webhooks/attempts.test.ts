// The server looks up and records many attempts in one statement. Each attempt keeps its own outcome.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Service } from '../../src/operation.ts'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { mintKeys } from '../../src/secrets/open-key-ring.ts'
import { startService, type TestService } from '../../src/testing/start-service.ts'
import { deliver, lookUpEvent } from '../../src/webhooks/deliver.ts'
import { findDueEvent, recordAttempt } from '../../src/webhooks/store.ts'
import { createApiClient } from '../kit/api-client.ts'
import { createPartnerWithCallback, writeEvents } from '../kit/bulk-events.ts'

const PARTNERS = ['ATTEMPTS_A', 'ATTEMPTS_B', 'ATTEMPTS_C']
const DELIVERED = {
  status: 'DELIVERED',
  outcome: 'HTTP 204',
  nextDelaySeconds: null,
  disablesEndpoint: false,
}
const FAILED = { status: 'PENDING', outcome: 'HTTP 500', nextDelaySeconds: 600, disablesEndpoint: false }
const GONE = { status: 'DEAD', outcome: 'HTTP 410', nextDelaySeconds: null, disablesEndpoint: true }

let service: TestService
beforeAll(async () => {
  service = await startService(inject('postgres'))
  const api = await createApiClient(service.url)
  for (const partner of PARTNERS) await createPartnerWithCallback(api, partner, 'http://localhost:9/callback')
})
afterAll(() => service.close())

type Row = {
  id: number
  partner_code: string
  attempts: number
  status: string
  last_outcome: string | null
  waits_seconds: number | null
}

/** Marks the events as queued, so that the server itself does not deliver them. */
async function queuedEvents(count: number): Promise<Row[]> {
  return service.db.transaction().execute(async (tx) => {
    await sql`truncate callback_event, callback_endpoint`.execute(tx)
    await writeEvents(tx, PARTNERS, count)
    await sql`update callback_event set is_queued = true`.execute(tx)
    return readEvents(tx)
  })
}

async function readEvents(db = service.db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select e.id, p.partner_code, e.attempts, e.status, e.last_outcome,
           round(extract(epoch from e.next_attempt_at - e.last_attempt_at))::int as waits_seconds
      from callback_event e join partner p on p.id = e.partner_id order by e.id`.execute(db)
  return rows
}

async function readEndpoints() {
  const { rows } = await sql<{ partner_code: string; is_failing: boolean; is_disabled: boolean }>`
    select partner_code, is_failing, disabled_at is not null as is_disabled
      from callback_endpoint join partner p on p.id = partner_id
     order by partner_code`.execute(service.db)
  return rows
}

test('each event gets its own outcome, and each endpoint the outcome of its last attempt', async () => {
  const events = await queuedEvents(9)
  const outcomeOf: Record<string, object[]> = {
    ATTEMPTS_A: [FAILED, FAILED, DELIVERED],
    ATTEMPTS_B: [DELIVERED, DELIVERED, FAILED],
    ATTEMPTS_C: [GONE, DELIVERED, DELIVERED],
  }
  const recorded = events.map(({ id, partner_code }, index) => ({
    id,
    ...(outcomeOf[partner_code]![Math.floor(index / 3)] as typeof FAILED),
  }))
  await Promise.all(recorded.map((each) => recordAttempt(service.db, each)))
  expect(await readEvents()).toEqual(
    events.map((event, index) => {
      const { status, outcome, nextDelaySeconds } = recorded[index]!
      return { ...event, attempts: 1, status, last_outcome: outcome, waits_seconds: nextDelaySeconds }
    }),
  )
  expect(await readEndpoints()).toEqual([
    { partner_code: 'ATTEMPTS_B', is_failing: true, is_disabled: false },
    { partner_code: 'ATTEMPTS_C', is_failing: false, is_disabled: true },
  ])
  const { id } = recorded[0]!
  for (const [outcome, is_failing] of [
    [FAILED, true],
    [DELIVERED, false],
  ] as const) {
    await recordAttempt(service.db, { id, ...outcome })
    expect((await readEndpoints())[0]).toEqual({
      partner_code: events[0]!.partner_code,
      is_failing,
      is_disabled: false,
    })
  }
})

test('finds only the attempt that is due: not an earlier attempt, and no delivered event', async () => {
  const [due, retried, delivered] = (await queuedEvents(3)) as [Row, Row, Row]
  await recordAttempt(service.db, { id: delivered.id, ...DELIVERED })
  await sql`update callback_event set attempts = 2 where id = ${retried.id}`.execute(service.db)
  const wanted = [due, retried, delivered, { id: 0, attempts: 0 }].map(({ id, attempts }) => ({
    id,
    attempts,
  }))
  const found = await Promise.all(
    [...wanted, { id: retried.id, attempts: 2 }].map((each) => findDueEvent(service.db, each)),
  )
  expect(found.map((event) => event?.id)).toEqual([due.id, undefined, undefined, undefined, retried.id])
  expect(found[0]).toMatchObject({
    callback_url: 'http://localhost:9/callback',
    salts: [expect.any(String)],
    is_failing: false,
  })
})

test.each([
  { lookedUp: 'just now', ageMs: 0, sent: 1, last_outcome: 'HTTP 204' },
  { lookedUp: 'half a second ago', ageMs: 500, sent: 0, last_outcome: 'partner suspended' },
])('an event that was looked up $lookedUp: $last_outcome', async ({ ageMs, sent, last_outcome }) => {
  const [{ id, attempts }] = (await queuedEvents(1)) as [Row]
  const ringKeys = mintKeys()
  const { current } = createKeyRing(() => ringKeys)
  const own = { db: service.db, keys: { find: () => current('webhook') } } as unknown as Service
  const job = { eventId: id, attempts, isFailing: false }
  const lookup = await lookUpEvent(own, job)
  const setStatus = (status: string) => sql`update partner set status = ${status}`.execute(service.db)
  await setStatus('SUSPENDED')
  const requests: unknown[] = []
  const send = async (request: unknown) => {
    requests.push(request)
    return { status: 204, retryAfterSeconds: undefined }
  }
  const { signal } = new AbortController()
  const aged = { ...lookup, atMs: performance.now() - ageMs }
  await deliver(own, { job, lookup: aged, sender: { send, close: () => {} }, signal })
  await setStatus('ACTIVE')
  expect([requests.length, (await readEvents())[0]]).toMatchObject([sent, { attempts: 1, last_outcome }])
})
