import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { beginPoll, forgetPoll, rejectEagerPolling } from '../../src/authorizations/inquire/poll-limit.ts'
import { startServiceForFile } from '../kit/api-client.ts'
import { countBlocked } from '../kit/blocked-statements.ts'

const MAX_ENTRIES = 100_000
const INTERVAL_SECONDS = 3_600

const { service, api } = await startServiceForFile({
  TIWALA_POLL_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
})
const { createPendingRecord, inquire, accept } = api

/** The clock waits for a lock in the statement of an inquiry, without the time-out of locks. */
const WAITING_CLOCK = `create or replace function clock_now() returns timestamptz language plpgsql volatile set lock_timeout = 0 as $$ begin
  if current_query() like '%secret_seconds_left%' then perform pg_advisory_xact_lock_shared(77); end if;
  return clock_timestamp() + (select advance from clock);
end $$`

const recordOf = (tracking_no: number, partner_id = 1) => ({ partner_id, tracking_no: String(tracking_no) })
const poll = (tracking_no: number) => void (beginPoll(recordOf(tracking_no)).refusedUntilMs = Infinity)

function isRejected(record: ReturnType<typeof recordOf>): boolean {
  try {
    rejectEagerPolling(record)
    return false
  } catch {
    return true
  }
}

test('the polls of 100,000 records are kept; that of the record polled longest ago is dropped', () => {
  poll(1)
  poll(2)
  poll(1)
  for (let count = 3; count <= MAX_ENTRIES; count++) poll(count)
  expect([1, 2, 3].map((number) => isRejected(recordOf(number)))).toEqual([true, true, true])
  poll(MAX_ENTRIES + 1)
  expect([1, 2, 3].map((number) => isRejected(recordOf(number)))).toEqual([true, false, true])
  forgetPoll(recordOf(1))
  expect([recordOf(1), recordOf(3, 2), recordOf(3)].map(isRejected)).toEqual([false, false, true])
  forgetPoll()
  expect(isRejected(recordOf(3))).toBe(false)
})

test('200: a record that has changed may be read at once', async () => {
  const trackingNo = await createPendingRecord()
  const statusOf = async () => (await inquire(trackingNo)).status
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  await accept(trackingNo)
  // The notification of the change arrives after the response.
  await expect.poll(statusOf, { interval: 10 }).toBe(200)
})

test('200: a record may be read at once if it changes while an inquiry that found it pending is in flight', async () => {
  const trackingNo = await createPendingRecord()
  const events = await api.send('streamEvents', { headers: api.asCitizen })
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader.cancel())
  const holder = await service.db.startTransaction().execute()
  // The statement of an inquiry waits here after it has its snapshot, so it does not see later changes.
  await sql.raw(WAITING_CLOCK).execute(service.db)
  await sql`select pg_advisory_xact_lock(77)`.execute(holder)
  const reading = inquire(trackingNo)
  await expect.poll(() => countBlocked(service.db), { interval: 5 }).toBe(1)
  await accept(trackingNo)
  // The stream of the citizen gets the notification of the change after the limit has got it.
  for (let text = ''; !text.includes('authorization.accepted');) text += (await reader.read()).value!
  await holder.commit().execute()
  const states = [await reading, await inquire(trackingNo)].map(({ headers }) =>
    headers.get('x-authorization-state'),
  )
  expect(states).toEqual(['PENDING', 'ACCEPTED'])
})

test('429: Retry-After is at most the time until the record expires', async () => {
  const trackingNo = await createPendingRecord()
  expect((await inquire(trackingNo)).status).toBe(200)
  const refused = await inquire(trackingNo)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300)
})
