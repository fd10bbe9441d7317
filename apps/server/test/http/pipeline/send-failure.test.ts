import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { createSendFailure, createSendLastResort } from '../../../src/http/pipeline/send-failure.ts'

const sendLastResort = (res: object) =>
  createSendLastResort('https://tiwala.example')(new Error('fault'), {} as Request, res as Response, () => {})

test.each([
  { what: 'a response that has started is cut off', writableEnded: false, destroyed: 1 },
  { what: 'the connection of a complete response stays open', writableEnded: true, destroyed: 0 },
])('$what', ({ writableEnded, destroyed }) => {
  const destroy = vi.fn()
  sendLastResort({ headersSent: true, writableEnded, socket: { destroy } })
  expect(destroy).toHaveBeenCalledTimes(destroyed)
})

test('500: a response that has not started gets the common error shape, without the cause', () => {
  const [setHeader, end] = [vi.fn(), vi.fn()]
  const res = {
    headersSent: false,
    statusCode: 200,
    locals: {} as Record<string, unknown>,
    getHeader: () => 'req_1',
    setHeader,
    end,
  }
  sendLastResort(res)
  expect(res.statusCode).toBe(500)
  expect(res.locals['failure']).toMatchObject({ code: 'internal_error', cause: new Error('fault') })
  expect(Object.fromEntries(setHeader.mock.calls)).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    Link: '<https://tiwala.example/errors/internal_error>; rel="help"',
  })
  expect(JSON.parse(end.mock.lastCall![0] as string)).toEqual({
    status: 500,
    message: expect.not.stringContaining('fault'),
    error: 'internal_error',
    request_id: 'req_1',
  })
})

test.each([
  ['unavailable', Object.assign(new Error('gone'), { code: 'ECONNRESET' })],
  ['internal_error', new Error('fault')],
])('the log of %s names the error that was thrown', (code, thrown) => {
  const res = { headersSent: false, locals: {} as Record<string, unknown> }
  const chain = { status: () => chain, set: () => chain, type: () => chain, send: () => {} }
  createSendFailure('https://tiwala.example')(
    thrown,
    { exchange: {} } as Request,
    { ...chain, ...res } as never,
    () => {},
  )
  expect(res.locals['failure']).toMatchObject({ code, cause: thrown })
})

test('an error after the response has started is passed on', () => {
  const next = vi.fn()
  const fault = new Error('fault')
  createSendFailure('https://tiwala.example')(fault, {} as Request, { headersSent: true } as Response, next)
  expect(next).toHaveBeenCalledExactlyOnceWith(fault)
})
