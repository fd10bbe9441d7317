import { EventEmitter } from 'node:events'
import type { Request, RequestHandler, Response } from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from '../../../src/config.ts'
import type { Failure } from '../../../src/failure.ts'
import { enforceDailyQuota, rateLimitPartner } from '../../../src/http/load/partner-limits.ts'
import { rateLimitWrites } from '../../../src/http/load/write-limits.ts'
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

/** Sends a request through a limit. Returns the code of its refusal. */
function send(limit: RequestHandler, request: object, statusCode = 200): Promise<string | undefined> {
  const headers = { setHeader: () => {}, append: () => {} }
  const res = Object.assign(new EventEmitter(), { ...headers, statusCode })
  const req = { app: { get: () => {} }, headers: {}, method: 'POST', ...request }
  return new Promise((resolve) => {
    void limit(req as unknown as Request, res as unknown as Response, (refusal?: unknown) => {
      res.emit('finish')
      resolve((refusal as Failure | undefined)?.code)
    })
  })
}

const limits = { sign_ins_per_minute: 1 } as AuthenticatedPartner['limits']
const signIn = {
  openapi: { schema: { operationId: 'authenticate' } },
  exchange: { caller: { partnerId: 1, limits }, passed: [] },
}
const createSignInLimit = () => rateLimitPartner({ partnerLimits: {} } as Config)

test.each([
  { status: 422, next: undefined },
  { status: 499, next: undefined },
  { status: 500, next: 'rate_limited' },
  { status: 200, next: 'rate_limited' },
])('after a response with $status, the next access token of the partner is: $next', async (situation) => {
  const limit = createSignInLimit()
  const responses = [await send(limit, signIn, situation.status), await send(limit, signIn, situation.status)]
  expect(responses).toEqual([undefined, situation.next])
})

const acceptance = {
  openapi: { schema: { operationId: 'acceptAuthorization' } },
  exchange: { caller: { uniqidHmacs: ['hmac'] } },
}

test.each([
  ['of a partner', createSignInLimit(), signIn],
  ["of a citizen's app", rateLimitWrites({ writesPerCitizenAndMinute: 1 } as Config), acceptance],
])('a limit %s ends after a minute, also when the clock is set back an hour', async (_of, limit, request) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  expect([await send(limit, request), await send(limit, request)]).toEqual([undefined, 'rate_limited'])
  vi.setSystemTime(Date.now() - 3_600_000 + 61_000)
  expect(await send(limit, request)).toBeUndefined()
  expect(await send(limit, request)).toBe('rate_limited')
})
