// Limits of waiting inquiries and open streams. Each test has its own test service.
import { expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { readEvents, take } from '../kit/event-stream-reader.ts'
import { startTestService, type TestService } from '../kit/test-service.ts'
import type { Citizen } from '../kit/users.ts'

/** Waits until `count` inquiries wait or streams are open. */
const untilWaiting = async (count: number, service: TestService) => {
  await expect.poll(() => service.waiting(), { interval: 5 }).toBe(count)
}

test('503: a stream above the limit of open streams', async () => {
  const own = await startTestService({ TIWALA_MAX_WAITING: '1' })
  const { token } = await own.citizen()
  const request = () =>
    own.send('streamEvents', { headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' } })
  const first = await request()
  await untilWaiting(1, own)
  expect([first.status, (await request()).status]).toEqual([200, 503])
  // Closing the server ends the stream.
  await own.close()
  expect(await take(readEvents(first), 1).catch((error: Error) => error.message)).toContain(
    'the stream ended',
  )
})

test('429: a third stream of a citizen at a limit of 2, until a stream closes; others are free', async () => {
  const own = await startTestService({ TIWALA_STREAMS_PER_CITIZEN: '2' })
  const [citizen, other] = [await own.citizen(), await own.citizen()]
  const request = ({ token }: Citizen) =>
    own.send('streamEvents', { headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' } })
  const [first, second] = [await request(citizen), await request(citizen)]
  expect([first.status, second.status]).toEqual([200, 200])
  const refused = await request(citizen)
  expect(await errorBody(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await request(other)).status).toBe(200)
  await first.body!.cancel()
  await expect.poll(async () => (await request(citizen)).status, { interval: 20 }).toBe(200)
  await own.close()
})
