import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { normalizeContentType } from '../../../src/http/pipeline/headers.ts'

test.each([
  { method: 'POST', headers: { 'content-length': '2' }, type: 'application/json' },
  { method: 'POST', headers: { 'transfer-encoding': 'chunked' }, type: 'application/json' },
  { method: 'POST', headers: { 'content-length': '0' }, type: undefined },
  { method: 'POST', headers: {}, type: undefined },
  { method: 'GET', headers: { 'content-length': '2' }, type: undefined },
])('$method with $headers: $type', ({ method, headers, type }) => {
  const req = {
    method,
    path: '/',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  }
  void normalizeContentType(req as unknown as Request, {} as Response, () => {})
  expect(req.headers['content-type']).toBe(type)
})
