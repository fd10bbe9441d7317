import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { createSendLastResort } from '../../src/http/send-failure.ts'

test.each([
  { what: 'a response that has started is cut off', writableEnded: false, destroyed: 1 },
  { what: 'the connection of a complete response stays open', writableEnded: true, destroyed: 0 },
])('$what', ({ writableEnded, destroyed }) => {
  const destroy = vi.fn()
  const res = { headersSent: true, writableEnded, socket: { destroy } } as unknown as Response
  createSendLastResort('https://tiwala.example')(new Error('fault'), {} as Request, res, () => {})
  expect(destroy).toHaveBeenCalledTimes(destroyed)
})
