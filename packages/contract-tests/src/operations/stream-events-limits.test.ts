// Limits of waiting inquiries and open streams. Each test has a server of its own.
import { expect, test } from 'vitest'
import { errorOf } from '../harness/error-of.ts'
import { heardOn, take } from '../harness/event-stream.ts'
import { type Citizen, startWorld, type World } from '../harness/world.ts'

/** Waits until so many inquiries wait or streams are open. */
const untilWaiting = async (count: number, service: World) => {
  await expect.poll(() => service.waiting(), { interval: 5 }).toBe(count)
}

test('503: above the limit of open streams, another is refused', async () => {
  const own = await startWorld({ TIWALA_MOST_WAITING: '1' })
  const { token } = await own.citizen()
  const request = () => own.send('streamEvents', { headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' } })
  const first = await request()
  await untilWaiting(1, own)
  expect([first.status, (await request()).status]).toEqual([200, 503])
  // The end of the process ends the stream, too.
  await own.close()
  expect(await take(heardOn(first), 1).catch((error: Error) => error.message)).toContain('the stream ended')
})

test('429: a citizen may have 2 streams open in this service; another citizen is not affected, and a closed stream makes room', async () => {
  const own = await startWorld({ TIWALA_STREAMS_PER_CITIZEN: '2' })
  const [citizen, other] = [await own.citizen(), await own.citizen()]
  const request = ({ token }: Citizen) =>
    own.send('streamEvents', { headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' } })
  const [first, second] = [await request(citizen), await request(citizen)]
  expect([first.status, second.status]).toEqual([200, 200])
  const refused = await request(citizen)
  expect(await errorOf(refused)).toMatchObject({ status: 429, error: 'rate_limited' })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await request(other)).status).toBe(200)
  await first.body!.cancel()
  await expect.poll(async () => (await request(citizen)).status, { interval: 20 }).toBe(200)
  await own.close()
})
