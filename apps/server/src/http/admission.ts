// Admission control: how many requests are in flight at once, how many wait for a slot and for how long, and
// how long a request may take. A request for which there is no slot or no time gets 503 at once, so that the
// others get their response in time (load shedding). `fair-queue.ts` decides which request is next;
// `concurrency-limit.ts` decides how many slots there are.
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
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { type Claims, isClaimInBody } from '../authentication/claims.ts'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { shedRequests } from '../metrics/registry.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { type Caller, FairQueue, type Queued } from './fair-queue.ts'
import { type InFlightRequest, InFlightRequests } from './in-flight-requests.ts'

/** One timer checks the deadlines of all requests at this interval. */
const SWEEP_MS = 25
/** The part of its deadline that a request has left at least, however long it waited for its slot. */
const MIN_DEADLINE_SHARE = 3 / 4
/** How long callers compete after a request of another caller than the request before it. */
const COMPETING_MS = 1_000
/**
 * A request that is over keeps its slot while its handler runs, but at most for this many times its deadline.
 */
const MAX_DEADLINES = 2

/** A request that holds a slot or waits for one. */
interface Ticket extends InFlightRequest, Queued<Ticket> {
  readonly fingerprint: string
  deadlineAtMs: number
  startedAtMs: number
  /** Runs when the request gets a slot. */
  onSlot: () => void
  /** Runs when it gets no slot in time, or when its deadline passes. */
  onTimeout: () => void
  /** It has its response or 503, or its client has gone: it needs the slot only while its handler runs. */
  isResponseDone: boolean
  /** The number of handlers and authentications that run for it. */
  running: number
}

type AdmissionDependencies = {
  admission: Config['admission']
  claims: Pick<Claims, 'of'>
  sendFailure: ErrorRequestHandler
}

export function createAdmission({
  admission: { maxInFlight, maxQueued, maxQueuedMs, deadlineMs },
  claims,
  sendFailure,
}: AdmissionDependencies) {
  const limit = createConcurrencyLimit(maxInFlight, deadlineMs)
  const inFlight = new InFlightRequests<Ticket>()
  const queue = new FairQueue<Ticket>()
  let sweeping: NodeJS.Timeout | undefined
  let sweepAtMs = 0
  let lastCaller: Caller<Ticket> | undefined
  let competingUntilMs = 0

  /** How many slots one caller may hold: all of them, unless callers compete. */
  const maxPerCaller = () => (performance.now() < competingUntilMs ? limit.perCaller() : limit.total())
  const canStart = (caller: Caller<Ticket>) =>
    inFlight.size < limit.total() && caller.inFlight < maxPerCaller()
  const isFull = (caller: Caller<Ticket>) => queue.newcomers >= maxQueued && !canStart(caller)

  function enter(ticket: Ticket, kind: 'newcomers' | 'returning', timeoutMs: number): void {
    if (!sweeping) scheduleSweep()
    const nowMs = performance.now()
    if (ticket.caller !== lastCaller) {
      if (lastCaller) competingUntilMs = nowMs + COMPETING_MS
      lastCaller = ticket.caller
    }
    ticket.deadlineAtMs = nowMs + timeoutMs
    if (canStart(ticket.caller)) return start(ticket)
    queue.add(ticket, kind)
  }

  function start(ticket: Ticket): void {
    ticket.startedAtMs = performance.now()
    ticket.deadlineAtMs = Math.min(
      ticket.startedAtMs + deadlineMs,
      ticket.deadlineAtMs + MIN_DEADLINE_SHARE * deadlineMs,
    )
    inFlight.add(ticket)
    queue.addInFlight(ticket.caller)
    ticket.onSlot()
  }

  function release(ticket: Ticket): void {
    if (!inFlight.delete(ticket)) return
    queue.removeInFlight(ticket.caller)
    limit.recordDuration(performance.now() - ticket.startedAtMs)
    startNext()
  }

  function startNext(): void {
    while (!queue.isEmpty && inFlight.size < limit.total()) {
      const next = queue.next(limit.total(), maxPerCaller())
      if (!next) return
      start(next)
    }
  }

  /** Frees the slot now or, if a handler still runs, when it ends. */
  function end(ticket: Ticket): void {
    ticket.isResponseDone = true
    if (ticket.running === 0) release(ticket)
  }

  function scheduleSweep(): void {
    sweepAtMs = performance.now() + SWEEP_MS
    sweeping = setTimeout(sweep, SWEEP_MS).unref()
  }

  function sweep(): void {
    const nowMs = performance.now()
    limit.recordLag(nowMs - sweepAtMs)
    for (const ticket of queue.waitingWhere(({ deadlineAtMs }) => nowMs >= deadlineAtMs))
      if (queue.remove(ticket)) {
        shedRequests.inc({ reason: 'queue_timeout' })
        ticket.onTimeout()
      }
    for (const ticket of inFlight.toArray()) {
      if (nowMs < ticket.deadlineAtMs) continue
      const needsResponse = !ticket.isResponseDone
      end(ticket)
      if (needsResponse) {
        shedRequests.inc({ reason: 'deadline' })
        ticket.onTimeout()
      } else if (nowMs >= ticket.deadlineAtMs + (MAX_DEADLINES - 1) * deadlineMs) release(ticket)
    }
    startNext()
    sweeping = undefined
    if (inFlight.size > 0 || !queue.isEmpty) scheduleSweep()
  }

  /** Runs before the body is read. A client that sends its body slowly holds no slot meanwhile. */
  const rejectIfOverloaded: RequestHandler = (req, _res, next) => {
    if (queue.newcomers >= maxQueued && !isClaimInBody(req)) {
      const caller = queue.callerOf(claims.of(req))
      if (isFull(caller) && queue.callerWithLongestQueue(caller, maxQueued) === caller)
        throw shed('queue_full')
    }
    next()
  }

  const acquireSlot: RequestHandler = (req, res, next) => {
    const claim = claims.of(req)
    const caller = queue.callerOf(claim)
    if (isFull(caller)) makeRoom(caller)
    const { fingerprint } = claim
    // The handler may still be running. Its result is discarded, and it uses up no single-use code
    // (`reply.ts`).
    const onTimeout = () => {
      req.isTimedOut = true
      sendFailure(busy(), req, res, () => {})
    }
    const ticket: Ticket = {
      caller,
      queue: undefined,
      fingerprint,
      deadlineAtMs: 0,
      startedAtMs: 0,
      onSlot: next,
      onTimeout,
      isResponseDone: false,
      running: 0,
    }
    req.slot = {
      release: () => release(ticket),
      reacquire: () => reacquire(ticket, res),
      keepDuring: (work) => keepDuring(ticket, work),
      assign: (authenticated) =>
        queue.move(
          ticket,
          queue.callerOf(authenticated),
          ticket.inFlightIndex !== undefined,
          (other) => other.fingerprint === fingerprint,
        ),
    }
    res.once('close', () => {
      if (queue.remove(ticket) && ticket.onTimeout !== onTimeout) ticket.onTimeout()
      end(ticket)
    })
    enter(ticket, 'newcomers', maxQueuedMs)
  }

  /** Rejects the last request of the caller with the longest queue. */
  function makeRoom(caller: Caller<Ticket>): void {
    const longest = queue.callerWithLongestQueue(caller, maxQueued)
    const last = longest === caller ? undefined : longest.newcomers.at(-1)
    if (!last) throw shed('queue_full')
    shedRequests.inc({ reason: 'queue_full' })
    queue.remove(last)
    last.onTimeout()
  }

  async function keepDuring<Result>(ticket: Ticket, work: () => Promise<Result>): Promise<Result> {
    ticket.running++
    try {
      return await work()
    } finally {
      ticket.running--
      if (ticket.isResponseDone) end(ticket)
    }
  }

  function reacquire(ticket: Ticket, res: Response): Promise<boolean> {
    return new Promise((resolve) => {
      if (res.closed) return resolve(false)
      const { onTimeout } = ticket
      ticket.onTimeout = () => resolve(false)
      ticket.onSlot = () => {
        ticket.onTimeout = onTimeout
        resolve(true)
      }
      enter(ticket, 'returning', deadlineMs)
    })
  }

  return { rejectIfOverloaded, acquireSlot, inFlight: () => inFlight.size, queued: () => queue.newcomers }
}

const busy = () => new Failure('unavailable', { message: 'The service is busy', retryAfterSeconds: 1 })

function shed(reason: 'queue_full'): Failure {
  shedRequests.inc({ reason })
  return busy()
}
