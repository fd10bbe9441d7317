// Limits of waiting inquiries and open streams. Each test has its own test service.
import { expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { startTestService, type TestService } from '../kit/test-service.ts'

type Pending = Awaited<ReturnType<TestService['pending']>>

/** Waits until `count` inquiries wait or streams are open. */
const untilWaiting = async (count: number, service: TestService) => {
  await expect.poll(() => service.waiting(), { interval: 5 }).toBe(count)
}

test('200: when the server closes, a waiting inquiry gets its response at once', async () => {
  const own = await startTestService({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
  const { partner, trackingNo } = await own.pending()
  const waiting = own.send('inquire', {
    query: `tracking_no=${trackingNo}`,
    headers: { ...partner.headers, Prefer: 'wait=25' },
  })
  await untilWaiting(1, own)
  const startedAtMs = performance.now()
  const [response] = await Promise.all([waiting, own.close()])
  expect([response.headers.get('x-authorization-state'), response.headers.get('retry-after')]).toEqual([
    'PENDING',
    '2',
  ])
  // Far above the time of a response on a busy machine, and below the 25 s after which the wait ends.
  expect(performance.now() - startedAtMs).toBeLessThan(15_000)
})

test('200: above the limit of waiting inquiries, the response is immediate', async () => {
  const own = await startTestService({ TIWALA_MAX_WAITING: '1' })
  const [first, second] = [await own.pending(), await own.pending()]
  const ask = ({ partner, trackingNo }: Pending) =>
    own.send('inquire', {
      query: `tracking_no=${trackingNo}`,
      headers: { ...partner.headers, Prefer: 'wait=25' },
    })
  const waiting = ask(first)
  await untilWaiting(1, own)
  expect((await ask(second)).headers.get('x-authorization-state')).toBe('PENDING')
  await first.citizen.accept(first.trackingNo)
  expect((await waiting).headers.get('x-authorization-state')).toBe('ACCEPTED')
  await own.close()
})

test('429: a limit of 3 waiting inquiries per partner, and of 2 per record', async () => {
  const own = await startTestService({ TIWALA_WAITS_PER_PARTNER: '3', TIWALA_WAITS_PER_RECORD: '2' })
  const { partner, citizen, trackingNo } = await own.pending()
  const [second, third] = [
    await partner.profiles.requestAuthorization(await citizen.showQr()),
    await own.pending(),
  ]
  const ask = (number: string, by = partner) =>
    own.send('inquire', { query: `tracking_no=${number}`, headers: { ...by.headers, Prefer: 'wait=25' } })

  const waiting = [ask(trackingNo), ask(trackingNo)]
  await untilWaiting(2, own)
  const overRecord = await ask(trackingNo)
  expect(await errorBody(overRecord)).toMatchObject({ status: 429, error: 'rate_limited' })
  expect(Number(overRecord.headers.get('retry-after'))).toBeGreaterThan(0)
  waiting.push(ask(second.record.tracking_no))
  await untilWaiting(3, own)
  expect(await errorBody(await ask(second.record.tracking_no))).toMatchObject({
    status: 429,
    error: 'rate_limited',
  })
  waiting.push(ask(third.trackingNo, third.partner))
  await untilWaiting(4, own)
  // A request without `Prefer: wait` is not limited.
  const { headers } = await own.send('inquire', {
    query: `tracking_no=${trackingNo}`,
    headers: partner.headers,
  })
  expect(headers.get('x-authorization-state')).toBe('PENDING')

  // The client retries until a slot is free.
  const accepted = partner.profiles.waitForAcceptance(trackingNo)
  await citizen.accept(trackingNo)
  expect((await accepted).state).toBe('ACCEPTED')
  await untilWaiting(2, own)
  waiting.push(ask(second.record.tracking_no))
  await untilWaiting(3, own)
  await own.close()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

test('200: an inquiry that wakes while it waits takes one place, and gives it back', async () => {
  const own = await startTestService({ TIWALA_WAITS_PER_PARTNER: '1' })
  const { partner, citizen, trackingNo } = await own.pending()
  const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
  const ask = (number: string) =>
    own.send('inquire', {
      query: `tracking_no=${number}`,
      headers: { ...partner.headers, Prefer: 'wait=25' },
    })
  const first = ask(trackingNo)
  await untilWaiting(1, own)
  // A moved clock wakes each inquiry.
  await own.advance(1)
  await expect.poll(async () => (await ask(record.tracking_no)).status, { interval: 50 }).toBe(429)
  await citizen.accept(trackingNo)
  expect((await first).status).toBe(200)
  const second = ask(record.tracking_no)
  await untilWaiting(1, own)
  await own.close()
  expect((await second).status).toBe(200)
})
