import { expect, test } from 'vitest'
import { forgetPoll, storePoll, rejectEagerPolling } from '../../src/authorizations/inquire/poll-limit.ts'
import { startServiceForFile } from '../kit/api-client.ts'

const MAX_ENTRIES = 100_000
const INTERVAL_SECONDS = 3_600

const recordOf = (tracking_no: number, partner_id = 1) => ({ partner_id, tracking_no: String(tracking_no) })
const poll = (tracking_no: number) => storePoll(recordOf(tracking_no), performance.now())

function isRejected(record: ReturnType<typeof recordOf>): boolean {
  try {
    rejectEagerPolling(record, INTERVAL_SECONDS)
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
})

test('200: a record that has changed may be read at once', async () => {
  const settings = { TIWALA_POLL_INTERVAL_SECONDS: String(INTERVAL_SECONDS) }
  const { createPendingRecord, inquire, accept } = (await startServiceForFile(settings)).api
  const trackingNo = await createPendingRecord()
  const statusOf = async () => (await inquire(trackingNo)).status
  expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  await accept(trackingNo)
  // The notification of the change arrives after the response.
  await expect.poll(statusOf, { interval: 10 }).toBe(200)
})
