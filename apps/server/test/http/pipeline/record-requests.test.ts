import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createExchange } from '../../../src/http/pipeline/exchange.ts'
import { recordRequests } from '../../../src/http/pipeline/record-requests.ts'
import { continueTrace } from '../../../src/http/pipeline/trace-context.ts'

test('100 ranges of addresses of each partner are counted in an hour', () => {
  const ranges: string[] = []
  const figures = {
    add: ({ kind, operation }: { kind: string; operation: string }) =>
      void (kind === 'range' && ranges.push(operation)),
  }
  const handle = recordRequests({ record: () => {} } as never, figures as never, { add: () => {} })
  const send = (id: number, ip: string) => {
    const exchange = { ...createExchange('req_test', continueTrace(undefined)), caller: { id } }
    const res = Object.assign(new EventEmitter(), {
      locals: {},
      statusCode: 200,
      headersSent: true,
      get: () => {},
    })
    handle({ ip, exchange, get: () => {} } as unknown as Request, res as unknown as Response, () => {})
    res.emit('close')
  }
  const sendFromMany = (id: number) => {
    ranges.length = 0
    for (let range = 0; range < 102; range++) for (const host of [1, 2]) send(id, `198.51.${range}.${host}`)
    return ranges.length
  }
  expect([sendFromMany(1), sendFromMany(2), sendFromMany(1)]).toEqual([100, 100, 0])
  const nowMs = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(nowMs + 3_600_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(sendFromMany(1)).toBe(100)
})
