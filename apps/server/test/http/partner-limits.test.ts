import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { enforceDailyQuota } from '../../src/http/partner-limits.ts'
import type { Quotas } from '../../src/partners/usage/quotas.ts'

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
  const req = { caller: { id: 1 }, isTimedOut, openapi: { schema: { operationId: 'requestAuthorization' } } }
  const quotas = { hold: () => settle } as unknown as Quotas
  void enforceDailyQuota(quotas)(req as unknown as Request, res as unknown as Response, next)
  expect(next).toHaveBeenCalledOnce()
  res.emit('close')
  expect(settle).toHaveBeenCalledExactlyOnceWith(isCounted)
})
