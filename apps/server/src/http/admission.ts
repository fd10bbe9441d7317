// Admission control: how many requests are in flight at once, how many wait for a slot and for how long, and
// how long a request may take. A request for which there is no slot or no time gets 503 at once, so that the
// others get their response in time (load shedding). `slots.ts` holds the slots and the queue;
// `fair-queue.ts` decides which request is next; `concurrency-limit.ts` decides how many slots there are.
//
// States of a request (a ticket):
// - rejected: the queue is full, so the last request of the caller with the longest queue gets 503.
// - queued: it waits at most `maxQueuedMs` for a slot, then 503.
// - in flight: it holds a slot until its response is sent. After its deadline the client gets 503.
// - over: the response is sent, the deadline has passed or the client has gone, but the handler may still be
//   running. It keeps its slot until the handler ends, at most for twice its deadline.
// A request that only waits (`Prefer: wait`) releases its slot, and queues again as `returning` when it
// continues. If it gets no slot within `deadlineMs`, it responds with what it has read before.
//
// Callers compete for one second after a request of another caller than the request before it. While they
// compete, one caller holds at most `perCaller` slots (`concurrency-limit.ts`); otherwise it may hold all.
//
// Example: 100 slots, `maxQueued` 1,000, `maxQueuedMs` 500, `deadlineMs` 1,000. Of 1,200 requests that arrive
// at once from one caller, 100 are in flight, 1,000 wait, and 100 get 503 at once. A request that waited 400
// ms has 850 ms left.
//
// Guarantees: a request gets its response or 503 within `maxQueuedMs` + 3/4 `deadlineMs`, or within
// `deadlineMs` if it did not wait. A returning request gets it within 1 3/4 `deadlineMs` from then on. One
// timer checks these times every 25 ms, so a 503 can be later by as much. A caller that sends few requests is
// not rejected for one that sends many.
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { type Claims, isClaimInBody } from '../authentication/claims.ts'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { shedRequests } from '../metrics/registry.ts'
import type { Caller } from './fair-queue.ts'
import { createSlots, type Slots, type Ticket } from './slots.ts'

type AdmissionDependencies = {
  admission: Config['admission']
  claims: Pick<Claims, 'of'>
  sendFailure: ErrorRequestHandler
}

export function createAdmission({ admission, claims, sendFailure }: AdmissionDependencies) {
  const { maxQueued, maxQueuedMs, deadlineMs } = admission
  const slots = createSlots(admission)
  const { queue } = slots

  /** Runs before the body is read. A client that sends its body slowly holds no slot meanwhile. */
  const rejectIfOverloaded: RequestHandler = (req, _res, next) => {
    if (queue.newcomers >= maxQueued && !isClaimInBody(req)) {
      const caller = queue.callerOf(claims.of(req))
      if (slots.isFull(caller) && queue.callerWithLongestQueue(caller, maxQueued) === caller) throw shed()
    }
    next()
  }

  const acquireSlot: RequestHandler = (req, res, next) => {
    const claim = claims.of(req)
    const caller = queue.callerOf(claim)
    if (slots.isFull(caller)) makeRoom(caller)
    // The handler may still be running. Its result is discarded, and it uses up no single-use code
    // (`reply.ts`).
    const onTimeout = () => {
      req.isTimedOut = true
      sendFailure(busy(), req, res, () => {})
    }
    const ticket: Ticket = {
      caller,
      queue: undefined,
      fingerprint: claim.fingerprint,
      deadlineAtMs: 0,
      startedAtMs: 0,
      onSlot: next,
      onTimeout,
      isResponseDone: false,
      running: 0,
    }
    req.slot = slotOf(ticket, slots, res, deadlineMs)
    res.once('close', () => {
      if (queue.remove(ticket) && ticket.onTimeout !== onTimeout) ticket.onTimeout()
      slots.end(ticket)
    })
    slots.enter(ticket, 'newcomers', maxQueuedMs)
  }

  /** Rejects the last request of the caller with the longest queue. */
  function makeRoom(caller: Caller<Ticket>): void {
    const longest = queue.callerWithLongestQueue(caller, maxQueued)
    const last = longest === caller ? undefined : longest.newcomers.at(-1)
    if (!last) throw shed()
    shedRequests.inc({ reason: 'queue_full' })
    queue.remove(last)
    last.onTimeout()
  }

  return { rejectIfOverloaded, acquireSlot, inFlight: slots.inFlight, queued: () => queue.newcomers }
}

/** What the handler of a request can do with its slot. */
function slotOf(
  ticket: Ticket,
  slots: Slots,
  res: Response,
  deadlineMs: number,
): NonNullable<Request['slot']> {
  return {
    release: () => slots.release(ticket),
    reacquire: () =>
      new Promise((resolve) => {
        if (res.closed) return resolve(false)
        const { onTimeout } = ticket
        const refuse = () => resolve(false)
        const accept = () => {
          ticket.onTimeout = onTimeout
          resolve(true)
        }
        ticket.onTimeout = refuse
        ticket.onSlot = accept
        slots.enter(ticket, 'returning', deadlineMs)
      }),
    async keepDuring(work) {
      ticket.running++
      try {
        return await work()
      } finally {
        ticket.running--
        if (ticket.isResponseDone) slots.end(ticket)
      }
    },
    assign: (authenticated) =>
      slots.queue.move(
        ticket,
        slots.queue.callerOf(authenticated),
        ticket.inFlightIndex !== undefined,
        (other) => other.fingerprint === ticket.fingerprint,
      ),
  }
}

const busy = () => new Failure('unavailable', { message: 'The service is busy', retryAfterSeconds: 1 })

function shed(): Failure {
  shedRequests.inc({ reason: 'queue_full' })
  return busy()
}
