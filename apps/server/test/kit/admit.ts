import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect } from 'vitest'
import { createAdmission } from '../../src/http/load/admission.ts'
import { createExchange } from '../../src/http/pipeline/exchange.ts'
import { createSendFailure } from '../../src/http/pipeline/send-failure.ts'
import { continueTrace } from '../../src/http/pipeline/trace-context.ts'

type Bounds = { slots: number; queued?: number; maxQueuedMs?: number; deadlineMs?: number }

/**
 * Sends authenticated requests to an admission, without a server. `started`: the requests that got a slot, in
 * order. `refused`: those that got 503. By default no time limit ever passes. `onRefused` runs when a request
 * gets 503.
 */
export function admit(
  { slots, queued = 1_000, maxQueuedMs = 60_000, deadlineMs = 60_000 }: Bounds,
  onRefused: (name: string) => void = () => {},
) {
  const admission = createAdmission({
    admission: { maxInFlight: slots, maxQueued: queued, maxQueuedMs, deadlineMs },
    sendFailure: createSendFailure('http://localhost'),
  })
  const started: string[] = []
  const refused: string[] = []
  const open: { name: string; close: () => void }[] = []

  /** A request after its body was read. It has no caller yet. */
  function receive(name: string) {
    const exchange = createExchange('req_test', continueTrace(undefined))
    const req = { path: '/', exchange } as unknown as Request
    const res = Object.assign(new EventEmitter(), {
      closed: false,
      headersSent: false,
      locals: {},
      status: () => res,
      set: () => res,
      type: () => res,
    })
    const close = () => {
      res.closed = true
      res.emit('close')
    }
    const refuse = () => {
      refused.push(name)
      onRefused(name)
    }
    // The response closes when the client has it.
    Object.assign(res, { send: () => (refuse(), queueMicrotask(close)) })
    void admission.startDeadline(req, res as unknown as Response, () => {})
    return { req, res: res as unknown as Response, close, refuse }
  }

  /** The caller is the name without the number at its end. */
  function send(name: string) {
    const { req, res, close, refuse } = receive(name)
    req.exchange.callerName = name.replace(/\d+$/, '')
    void admission.acquireSlot(req, res, (refusal?: unknown) => {
      if (refusal) {
        expect(refusal).toMatchObject({ code: 'unavailable' })
        refuse()
        return close()
      }
      started.push(name)
      open.push({ name, close })
    })
    return { req, close }
  }
  const sendMany = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => send(`${name}${index}`))
  /** Completes the oldest in-flight request, or the oldest of the named caller. */
  const response = (caller = '') => {
    const [done] = open.splice(
      open.findIndex(({ name }) => name.startsWith(caller)),
      1,
    )
    done!.close()
  }
  return { started, refused, receive, send, sendMany, response, ...admission }
}
