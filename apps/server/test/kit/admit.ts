import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect } from 'vitest'
import type { Claim } from '../../src/authentication/claims.ts'
import { createAdmission } from '../../src/http/admission.ts'
import { createSendFailure } from '../../src/http/send-failure.ts'

type Bounds = { slots: number; queued?: number; maxQueuedMs?: number; deadlineMs?: number }

/**
 * Sends requests to an admission, without a server. `started`: the requests that got a slot, in order.
 * `refused`: those that got 503. By default no time limit ever passes. `onRefused` runs when a request gets
 * 503.
 */
export function admit(
  { slots, queued = 1_000, maxQueuedMs = 60_000, deadlineMs = 60_000 }: Bounds,
  onRefused: (name: string) => void = () => {},
) {
  const { acquireSlot, rejectIfOverloaded } = createAdmission({
    admission: { maxInFlight: slots, maxQueued: queued, maxQueuedMs, deadlineMs },
    claims: { of: ({ claim }) => claim! },
    sendFailure: createSendFailure('http://localhost'),
  })
  const started: string[] = []
  const refused: string[] = []
  const open: { name: string; close: () => void }[] = []
  const refuse = (name: string) => {
    refused.push(name)
    onRefused(name)
  }

  function send(name: string, claim: Partial<Claim> = {}) {
    const full = { caller: name.replace(/\d+$/, ''), isKnown: true, fingerprint: '', ...claim }
    const req = { claim: full, path: '/', requestId: 'req_test' } as unknown as Request
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
    // The response closes when the client has it.
    Object.assign(res, { send: () => (refuse(name), queueMicrotask(close)) })
    try {
      acquireSlot(req, res as unknown as Response, () => {
        started.push(name)
        open.push({ name, close })
      })
    } catch (error) {
      expect(error).toMatchObject({ code: 'unavailable' })
      refuse(name)
    }
    return { req, close }
  }
  const sendMany = (name: string, count: number, claim?: Partial<Claim>) =>
    Array.from({ length: count }, (_, index) => send(`${name}${index}`, claim))
  /** Completes the oldest in-flight request, or the oldest of the named caller. */
  const response = (caller = '') => {
    const [done] = open.splice(
      open.findIndex(({ name }) => name.startsWith(caller)),
      1,
    )
    done!.close()
  }
  return { started, refused, send, sendMany, response, rejectIfOverloaded }
}
