import type { NextFunction, Request, Response } from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rateLimitByAddress } from '../../../src/http/load/address-limits.ts'

test('429: each address has the same number of requests in a second', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const limit = rateLimitByAddress(2)
  const send = (ip: string) => () => void limit({ ip } as Request, {} as Response, (() => {}) as NextFunction)
  const refused = expect.objectContaining({ code: 'rate_limited', headers: { 'Retry-After': '1' } }) as Error

  for (const ip of ['192.0.2.1', '192.0.2.2']) {
    send(ip)()
    send(ip)()
    expect(send(ip)).toThrow(refused)
  }
  vi.advanceTimersByTime(1_000)
  expect(send('192.0.2.1')).not.toThrow()
})
