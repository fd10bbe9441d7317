// When the server retries a delivery, and when it gives up.
import { describe, expect, test } from 'vitest'
import { nextDeliveryState } from '../../src/webhooks/deliver.ts'
import { nextDelaySeconds } from '../../src/webhooks/retry-schedule.ts'
import type { SendResult } from '../../src/webhooks/send.ts'

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
const SCHEDULE = [
  0,
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const EXACTLY = () => 0.5

const FAILED: SendResult = { status: 500, retryAfterSeconds: undefined }
const respondWith = (status: number, retryAfterSeconds: number | undefined): SendResult => ({
  status,
  retryAfterSeconds,
})

describe('the schedule', () => {
  test('ten attempts, each after its documented delay', () => {
    expect(SCHEDULE.map((_, attempts) => nextDelaySeconds(attempts, 0, EXACTLY))).toEqual(SCHEDULE)
    expect(nextDelaySeconds(10, 0, EXACTLY)).toBeUndefined()
    expect(nextDelaySeconds(11)).toBeUndefined()
  })

  test('a random part of up to a tenth spreads the retries of events that failed together', () => {
    for (const [attempts, delay] of SCHEDULE.entries()) {
      expect(nextDelaySeconds(attempts, 0, () => 0)).toBeCloseTo(delay * 0.9)
      expect(nextDelaySeconds(attempts, 0, () => 1)).toBeCloseTo(delay * 1.1)
      const delays = Array.from({ length: 200 }, () => nextDelaySeconds(attempts)!)
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(delay * 0.9)
      expect(Math.max(...delays)).toBeLessThanOrEqual(delay * 1.1)
      expect(new Set(delays).size > 100).toBe(delay > 0)
    }
  })

  test('a Retry-After that is longer than the delay counts, up to the longest delay', () => {
    expect(nextDelaySeconds(1, 120, EXACTLY)).toBe(120)
    expect(nextDelaySeconds(1, 1, EXACTLY)).toBe(5)
    expect(nextDelaySeconds(9, 10, EXACTLY)).toBe(DAY)
    expect(nextDelaySeconds(1, 999_999_999, EXACTLY)).toBeCloseTo(1.1 * DAY)
  })
})

describe('the outcome', () => {
  test.each([200, 201, 202, 204, 299])('delivered: HTTP %d, at any attempt', (status) => {
    for (const attempts of [1, 10]) {
      const verdict = {
        status: 'DELIVERED',
        outcome: `HTTP ${status}`,
        nextDelaySeconds: null,
        disablesEndpoint: false,
      }
      expect(nextDeliveryState(respondWith(status, 60), attempts)).toEqual(verdict)
    }
  })

  test.each<[string, SendResult]>([
    ...[
      0, 101, 199, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 408, 409, 411, 429, 500, 502, 503, 504,
      999,
    ].map((status): [string, SendResult] => [`HTTP ${status}`, respondWith(status, undefined)]),
    ...['no connection', 'time-out', 'address not allowed'].map((failure): [string, SendResult] => [
      failure,
      { failure },
    ]),
  ])('retried, then a dead letter after ten attempts: %s', (outcome, sent) => {
    for (let attempts = 1; attempts < 10; attempts++) {
      const verdict = nextDeliveryState(sent, attempts)
      expect(verdict).toMatchObject({ status: 'PENDING', outcome, disablesEndpoint: false })
      expect(Math.abs(verdict.nextDelaySeconds! / SCHEDULE[attempts]! - 1)).toBeLessThanOrEqual(
        0.1 + Number.EPSILON,
      )
    }
    expect(nextDeliveryState(sent, 10)).toEqual({
      status: 'DEAD',
      outcome,
      nextDelaySeconds: null,
      disablesEndpoint: false,
    })
  })

  test('Retry-After is respected with any error status', () => {
    for (const status of [429, 503, 301])
      expect(nextDeliveryState(respondWith(status, 3_000), 1).nextDelaySeconds).toBe(3_000)
    expect(nextDeliveryState(FAILED, 1).nextDelaySeconds).toBeLessThan(6)
  })

  test('410 disables the endpoint; a disabled or missing endpoint only ends the delivery', () => {
    expect(nextDeliveryState(respondWith(410, 60), 1)).toEqual({
      status: 'DEAD',
      outcome: 'HTTP 410',
      nextDelaySeconds: null,
      disablesEndpoint: true,
    })
    for (const failure of ['disabled', 'no callback URL'])
      expect(nextDeliveryState({ failure }, 1)).toEqual({
        status: 'DEAD',
        outcome: failure,
        nextDelaySeconds: null,
        disablesEndpoint: false,
      })
  })
})
