import { describe, expect, test } from 'vitest'
import { errorBody } from '../kit/error-body.ts'
import { startServiceForFile, type TestService } from '../kit/test-service.ts'

const service = await startServiceForFile({
  TIWALA_POLL_INTERVAL_SECONDS: '2',
  TIWALA_MAX_WAIT_SECONDS: '20',
})

/** Far above the time of a response on a busy machine, and below the 20 s after which a wait ends. */
const ENDED_BY_CHANGE_MS = 15_000

type Pending = Awaited<ReturnType<TestService['pending']>>

const inquire = async ({ partner, trackingNo }: Pending, prefer: string, signal?: AbortSignal) => {
  const startedAtMs = performance.now()
  const response = await service.send('inquire', {
    query: `tracking_no=${trackingNo}`,
    headers: { ...partner.headers, Prefer: prefer },
    ...(signal && { signal }),
  })
  return {
    response,
    state: response.headers.get('x-authorization-state'),
    tookMs: performance.now() - startedAtMs,
  }
}

/** Waits until `count` inquiries wait. */
const untilWaiting = async (count: number) => {
  await expect.poll(() => service.waiting(), { interval: 5 }).toBe(count)
}

describe('inquire', () => {
  test.each(['accept', 'decline'] as const)(
    '200: a waiting inquiry is answered when the citizen answers (%s)',
    async (answer) => {
      const pending = await service.pending()
      const waiting = inquire(pending, 'wait=25')
      await untilWaiting(1)
      await pending.citizen[answer](pending.trackingNo)
      const { response, state, tookMs } = await waiting
      expect([
        state,
        response.headers.get('preference-applied'),
        response.headers.get('retry-after'),
      ]).toEqual([answer === 'accept' ? 'ACCEPTED' : 'DECLINED', 'wait=20', null])
      expect(tookMs).toBeLessThan(ENDED_BY_CHANGE_MS)
    },
  )

  test('200: the wait ends when the partner cancels', async () => {
    const pending = await service.pending()
    const waiting = inquire(pending, 'wait=25')
    await untilWaiting(1)
    await pending.partner.profiles.cancelAuthorization(pending.trackingNo)
    expect((await waiting).state).toBe('CANCELLED')
  })

  test('200: the wait ends when the request expires', async () => {
    const pending = await service.pending()
    const waiting = inquire(pending, 'wait=25')
    await untilWaiting(1)
    await service.advance(301)
    const { state, tookMs } = await waiting
    expect(state).toBe('EXPIRED')
    expect(tookMs).toBeLessThan(ENDED_BY_CHANGE_MS)
  })

  test('200: an inquiry keeps waiting when the clock moves; after it another is allowed', async () => {
    const pending = await service.pending()
    const waiting = inquire(pending, 'respond-async, Wait="2"')
    await untilWaiting(1)
    await service.advance(1)
    const { response, state, tookMs } = await waiting
    expect([state, response.headers.get('retry-after'), response.headers.get('preference-applied')]).toEqual([
      'PENDING',
      '0',
      'wait=2',
    ])
    expect(tookMs).toBeGreaterThan(1_900)
    expect((await inquire(pending, 'wait=1')).response.status).toBe(200)
  })

  test.each(['', 'wait', 'wait=', 'wait=soon', 'return=minimal', 'await=9', 'wait=-1', 'wait=0'])(
    '200: an invalid preference is ignored (Prefer: %s)',
    async (prefer) => {
      const { response, state } = await inquire(await service.pending(), prefer)
      expect([response.status, state, response.headers.get('preference-applied')]).toEqual([
        200,
        'PENDING',
        null,
      ])
    },
  )

  test('404: an unknown record is not waited for', async () => {
    const { partner } = await service.pending()
    const response = await service.send('inquire', {
      query: 'tracking_no=NONE',
      headers: { ...partner.headers, Prefer: 'wait=25' },
    })
    expect((await errorBody(response)).error).toBe('tracking_no_not_found')
  })

  test('429: a second inquiry within 2 s of a waiting one, until the record has changed', async () => {
    const pending = await service.pending()
    expect((await inquire(pending, '')).state).toBe('PENDING')
    expect((await inquire(pending, 'wait=1')).response.status).toBe(429)
    await pending.citizen.accept(pending.trackingNo)
    await expect.poll(async () => (await inquire(pending, '')).state, { interval: 20 }).toBe('ACCEPTED')
  })

  test('200: when a client disconnects, its wait ends and nothing is disclosed', async () => {
    const pending = await service.pending()
    const leaving = new AbortController()
    const waiting = inquire(pending, 'wait=25', leaving.signal).catch(() => 'gone')
    await untilWaiting(1)
    leaving.abort()
    expect(await waiting).toBe('gone')
    await untilWaiting(0)
    await pending.citizen.accept(pending.trackingNo)
    expect(await pending.citizen.disclosures()).toEqual([])
  })
})
