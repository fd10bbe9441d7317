import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type CheckName, createExchange } from '../../../src/http/pipeline/exchange.ts'
import { recordRequests } from '../../../src/http/pipeline/record-requests.ts'
import { continueTrace } from '../../../src/http/pipeline/trace-context.ts'

/** Sends a request from this address, and closes its response. */
function sendTo(
  handle: ReturnType<typeof recordRequests>,
  ip: string,
  { caller, passed = [], operationId }: { caller: object; passed?: CheckName[]; operationId?: string },
) {
  const exchange = { ...createExchange('req_test', continueTrace(undefined)), caller, passed }
  const res = Object.assign(new EventEmitter(), {
    locals: {},
    statusCode: 200,
    headersSent: true,
    get: () => {},
  })
  const openapi = operationId && { schema: { operationId } }
  const req = { ip, exchange, openapi, headers: {}, query: {}, get: () => {} }
  handle(req as unknown as Request, res as unknown as Response, () => {})
  res.emit('close')
}

test.each<[string, CheckName[], boolean]>([
  ['accepted', ['access_token', 'suspension', 'address'], true],
  ['refused by its address', ['access_token', 'suspension'], false],
  ['refused', [], false],
])('whether a request whose access token was %s counts for the partner', (_what, passed, isAccepted) => {
  const [logged, kinds, used]: [boolean[], string[], number[]] = [[], [], []]
  const handle = recordRequests(
    { record: ({ isAuthenticated }) => void logged.push(isAuthenticated), stop: async () => {} },
    { add: ({ kind }: { kind: string }) => void kinds.push(kind) } as never,
    { add: (partnerId) => void used.push(partnerId) },
  )
  sendTo(handle, '198.51.100.1', { caller: { partnerId: 1 }, passed, operationId: 'authenticate' })
  expect([logged, used]).toEqual([[isAccepted], isAccepted ? [1] : []])
  // A client other than the partner can send the token.
  expect(kinds).toEqual([])
})

test('100 ranges of addresses of each partner are counted in an hour', () => {
  const ranges: string[] = []
  const figures = {
    add: ({ kind, operation }: { kind: string; operation: string }) =>
      void (kind === 'range' && ranges.push(operation)),
  }
  const handle = recordRequests({ record: () => {} } as never, figures as never, { add: () => {} })
  const sendFromMany = (id: number) => {
    ranges.length = 0
    for (let range = 0; range < 102; range++)
      for (const host of [1, 2]) sendTo(handle, `198.51.${range}.${host}`, { caller: { id } })
    return ranges.length
  }
  expect([sendFromMany(1), sendFromMany(2), sendFromMany(1)]).toEqual([100, 100, 0])
  const nowMs = performance.now()
  vi.spyOn(performance, 'now').mockReturnValue(nowMs + 3_600_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(sendFromMany(1)).toBe(100)
})
