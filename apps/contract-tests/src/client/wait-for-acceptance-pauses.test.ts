import { getEventListeners } from 'node:events'
import { createPartnerClient } from '@tiwala/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACCEPTED, PENDING, refusalBody } from '../kit/documented-responses.ts'
import { withInstantTimers } from '../kit/instant-timers.ts'
import { refusal } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS } from '../kit/unknown-credentials.ts'

type Script = () => Response

const refused =
  (status: number, error: string, seconds: number): Script =>
  () =>
    Response.json(refusalBody(status, error), { status, headers: { 'Retry-After': String(seconds) } })
const pending =
  (seconds: number): Script =>
  () =>
    Response.json(PENDING.body, { headers: { ...PENDING.headers, 'Retry-After': String(seconds) } })
const accepted: Script = () => Response.json(ACCEPTED.body, { headers: ACCEPTED.headers })
const broken: Script = () => {
  throw new TypeError('fetch failed')
}
const badGateway: Script = () => new Response('<h1>Bad gateway</h1>', { status: 502 })

/** A client of a service that sends the given responses in order, and repeats the last one. */
function clientOf(...script: Script[]) {
  const asked: Request[] = []
  const fetch = async (request: Request) => {
    asked.push(request)
    return script[Math.min(asked.length, script.length) - 1]!()
  }
  const { waitForAcceptance } = createPartnerClient({
    baseUrl: 'http://127.0.0.1:1',
    ...UNKNOWN_CREDENTIALS,
    fetch,
  })
  return { asked, waitForAcceptance, preferences: () => asked.map(({ headers }) => headers.get('prefer')) }
}

// Without jitter, each pause after a failure has its greatest length.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(1))
afterEach(() => void vi.restoreAllMocks())

describe('the pauses of waitForAcceptance', () => {
  test('ACCEPTED: each pause is as long as the service asks for', async () => {
    const told = [
      pending(2),
      refused(429, 'slow_down', 1),
      refused(429, 'rate_limited', 7),
      refused(503, 'unavailable', 3),
    ]
    const { waitForAcceptance, preferences } = clientOf(...told, accepted)
    const [outcome, pauses] = await withInstantTimers(async (seconds) => [
      await waitForAcceptance('X'),
      seconds,
    ])
    expect([outcome.state, pauses]).toEqual(['ACCEPTED', [2, 1, 7, 3]])
    expect(preferences()).toEqual(Array.from({ length: 5 }, () => 'wait=25'))
  })

  test('ACCEPTED: no Retry-After makes a pause shorter than 1 second or longer than 300 seconds', async () => {
    // A timer of more than 24 days would fire at once.
    const never = 30 * 86_400
    const { waitForAcceptance } = clientOf(
      pending(0),
      refused(503, 'unavailable', 0),
      pending(never),
      refused(429, 'rate_limited', never),
      accepted,
    )
    const [outcome, pauses] = await withInstantTimers(async (seconds) => [
      await waitForAcceptance('X'),
      seconds,
    ])
    expect([outcome.state, pauses]).toEqual(['ACCEPTED', [1, 1, 300, 300]])
  })

  test('ACCEPTED: after any number of 503 responses', async () => {
    const { waitForAcceptance } = clientOf(
      ...Array.from({ length: 20 }, () => refused(503, 'unavailable', 2)),
      accepted,
    )
    expect((await withInstantTimers(() => waitForAcceptance('X'))).state).toBe('ACCEPTED')
  })

  test.each([
    ['the connection breaks', broken],
    ['a gateway answers in its place', badGateway],
    ['it fails', () => Response.json(refusalBody(500, 'internal_error'), { status: 500 })],
  ])('it gives up when %s 5 times in a row, 1, 2, 4 and 8 seconds apart', async (_what, failure) => {
    const { waitForAcceptance, asked } = clientOf(failure)
    await withInstantTimers(async (pauses) => {
      await expect(waitForAcceptance('X')).rejects.toThrow(/connection_failed|HTTP 502|internal_error/)
      expect(pauses).toEqual([1, 2, 4, 8])
    })
    expect(asked).toHaveLength(5)
  })

  test('the pauses after failures are random: at least half as long', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { waitForAcceptance } = clientOf(broken)
    await withInstantTimers(async (pauses) => {
      await expect(waitForAcceptance('X')).rejects.toThrow('connection_failed')
      expect(pauses).toEqual([0.5, 1, 2, 4])
    })
  })

  test('ACCEPTED: only consecutive failures count', async () => {
    const four = [broken, badGateway, broken, broken]
    const { waitForAcceptance } = clientOf(
      ...four,
      pending(0),
      ...four,
      refused(429, 'slow_down', 1),
      ...four,
      accepted,
    )
    const [outcome, pauses] = await withInstantTimers(async (seconds) => [
      await waitForAcceptance('X'),
      seconds,
    ])
    expect([outcome.state, pauses]).toEqual(['ACCEPTED', [1, 2, 4, 8, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8]])
  })

  test('PENDING: after the deadline, and no request asks for a longer wait', async () => {
    const { waitForAcceptance, preferences } = clientOf(pending(4))
    await withInstantTimers(async (pauses) => {
      const deadline = new Date(Date.now() + 30_900)
      expect(await waitForAcceptance('X', { deadline })).toMatchObject({
        state: 'PENDING',
        record: PENDING.body.data,
      })
      expect(Date.now()).toBeGreaterThanOrEqual(deadline.getTime())
      expect(pauses.slice(0, -1)).toEqual([4, 4, 4, 4, 4, 4, 4])
    })
    expect(preferences()).toEqual([
      'wait=25',
      'wait=25',
      'wait=22',
      'wait=18',
      'wait=14',
      'wait=10',
      'wait=6',
      'wait=2',
    ])
  })

  test('an invalid deadline sends nothing', async () => {
    const { waitForAcceptance, asked } = clientOf(pending(0), accepted)
    const waiting = waitForAcceptance('X', { deadline: new Date('tomorrow') })
    await expect(waiting).rejects.toThrow(new TypeError('deadline must be a valid Date.'))
    expect(asked).toEqual([])
  })

  test('PENDING: the last known state, when the last requests get no response', async () => {
    const { waitForAcceptance } = clientOf(pending(2), broken)
    const outcome = await withInstantTimers(() =>
      waitForAcceptance('X', { deadline: new Date(Date.now() + 4_000) }),
    )
    expect(outcome.state).toBe('PENDING')
  })

  test('unavailable: no response until the deadline', async () => {
    const { waitForAcceptance } = clientOf(refused(503, 'unavailable', 2))
    const error = await withInstantTimers(() =>
      refusal(waitForAcceptance('X', { deadline: new Date(Date.now() + 5_000) })),
    )
    expect(error.code).toBe('unavailable')
  })

  test('signal: aborted in a pause, it rejects at once and sends nothing more', async () => {
    const { waitForAcceptance, asked } = clientOf(pending(600))
    const [caller, reason] = [new AbortController(), new Error('The customer has left')]
    const waiting = waitForAcceptance('X', { signal: caller.signal })
    setTimeout(() => caller.abort(reason), 20)
    await expect(waiting).rejects.toBe(reason)
    expect(asked).toHaveLength(1)
  })

  test('the pauses leave no listener on the signal', async () => {
    const { signal } = new AbortController()
    const { waitForAcceptance } = clientOf(pending(1), pending(1), accepted)
    await withInstantTimers(() => waitForAcceptance('x', { signal }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
