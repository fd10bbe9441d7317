import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import type { Config } from '../../../src/config.ts'
import type { Failure } from '../../../src/failure.ts'
import { enforceDailyQuota, rateLimitPartner } from '../../../src/http/load/partner-limits.ts'
import type { AuthenticatedPartner } from '../../../src/partners/partner.ts'
import type { Quotas } from '../../../src/partners/usage/quotas.ts'

test.each([
  { status: 200, isTimedOut: false, isCounted: true },
  { status: 400, isTimedOut: false, isCounted: false },
  { status: 503, isTimedOut: false, isCounted: false },
  { status: 503, isTimedOut: true, isCounted: true },
])('a response with $status (past its deadline: $isTimedOut) counts: $isCounted', (situation) => {
  const { status, isTimedOut, isCounted } = situation
  const settle = vi.fn()
  const next = vi.fn()
  const res = Object.assign(new EventEmitter(), { statusCode: status })
  const exchange = { caller: { id: 1 }, isTimedOut, passed: [] }
  const req = { exchange, openapi: { schema: { operationId: 'requestAuthorization' } } }
  const quotas = { hold: () => settle } as unknown as Quotas
  void enforceDailyQuota(quotas)(req as unknown as Request, res as unknown as Response, next)
  expect(next).toHaveBeenCalledOnce()
  res.emit('close')
  expect(settle).toHaveBeenCalledExactlyOnceWith(isCounted)
})

test.each([
  { status: 422, next: undefined },
  { status: 499, next: undefined },
  { status: 500, next: 'rate_limited' },
  { status: 200, next: 'rate_limited' },
])('after a response with $status, the next access token of the partner is: $next', async (situation) => {
  const limits = { sign_ins_per_minute: 1 } as AuthenticatedPartner['limits']
  const limit = rateLimitPartner({ partnerLimits: {} } as Config)
  const send = () => {
    const headers = { setHeader: () => {}, append: () => {} }
    const res = Object.assign(new EventEmitter(), { ...headers, statusCode: situation.status })
    const openapi = { schema: { operationId: 'authenticate' } }
    const exchange = { caller: { partnerId: 1, limits }, passed: [] }
    const req = { exchange, openapi, app: { get: () => {} }, headers: {} }
    return new Promise<string | undefined>((resolve) => {
      void limit(req as unknown as Request, res as unknown as Response, (refusal?: unknown) => {
        res.emit('finish')
        resolve((refusal as Failure | undefined)?.code)
      })
    })
  }
  expect([await send(), await send()]).toEqual([undefined, situation.next])
})
