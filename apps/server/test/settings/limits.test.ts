import { describe, expect, inject, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { LIMITS } from '../../src/settings/limits.ts'
import { startService } from '../../src/testing/start-service.ts'
import { createApiClient } from '../kit/api-client.ts'

const names = Object.keys(LIMITS)

/** The range that the error for a refused value names. */
function rangeOf(name: string): { min: number; max: number } {
  try {
    readConfig({ [name]: '-1' })
  } catch (error) {
    const [, min, max] = /"-1" is not a whole number from (\d+) to (\d+)/.exec((error as Error).message)!
    return { min: Number(min), max: Number(max) }
  }
  throw new Error(`${name} accepts -1`)
}

describe.each(names)('%s', (name) => {
  const { min, max } = rangeOf(name)

  test.each([String(min - 1), String(max + 1), '1.5', '1e400', 'many', ' '])('refuses "%s"', (value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`"${value}" is not a whole number from`)
  })

  test('accepts its smallest and its largest value', () => {
    for (const value of [min, max]) expect(() => readConfig({ [name]: String(value) })).not.toThrow()
  })
})

test('the longest wait fits setTimeout', () => {
  // A longer timer would fire at once, again and again.
  expect(rangeOf('TIWALA_MAX_WAIT_SECONDS').max * 1000).toBeLessThan(2 ** 31)
})

test('200: with the largest value of every limit, both journeys work', async () => {
  const largest = Object.fromEntries(names.map((name) => [name, String(rangeOf(name).max)]))
  const service = await startService(inject('postgres'), { ...largest, TIWALA_POLL_INTERVAL_SECONDS: '0' })
  const api = await createApiClient(service.url)
  const trackingNo = await api.createPendingRecord()
  const waiting = api.inquire(trackingNo, { Prefer: 'wait=25' })
  await expect.poll(() => service.waiting()).toBe(1)
  expect((await api.accept(trackingNo)).status).toBe(200)
  expect((await waiting).headers.get('x-authorization-state')).toBe('ACCEPTED')
  expect((await api.signIn(await api.issueAccessToken())).status).toBe(200)
  await service.close(0)
})
