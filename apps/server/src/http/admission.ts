// How many requests are in flight at once, how many wait for a slot and for how long, and how long they may then take. A request for which
// there is no slot or no time is answered 503 at once, so that the others are answered in time. `fair-queue.ts` decides which one is next.
import type { Request, RequestHandler, Response } from 'express'
import { type Claims, isClaimInBody } from '../authentication/claims.ts'
import type { Config } from '../config.ts'
import { Failure } from '../failure.ts'
import { type Caller, FairQueue, type Queued } from './fair-queue.ts'
import { Crowd, type Member } from './in-flight-requests.ts'
import { createLimit } from './latency-limit.ts'
import { sendFailure } from './send-failure.ts'

/** How late the end of a time may be noticed: one timer looks after all requests. */
const SWEEP_MS = 25
/** A request that waited for its slot has less time left, but at least so much of it. */
const LEAST_TIME = 3 / 4
/** Callers compete if two of them have sent a request within this time. */
const COMPETING_MS = 1_000
/** A request that was given up keeps its slot while the server still works on it, but no longer than so many times its deadline. */
const MAX_OVERTIME = 2

/** A request that holds a slot or waits for one. */
interface Ticket extends Member, Queued<Ticket> {
  readonly fingerprint: string
  dueMs: number
  beganMs: number
  /** Runs when the request gets a slot. */
  begin: () => void
  /** Runs when its time is over. */
  giveUp: () => void
  /** It was answered or given up, or its client has gone: it needs the slot only for work that is still going on. */
  isOver: boolean
  /** How many pieces of work are going on. */
  work: number
}

type Parts = { admission: Config['admission']; claims: Pick<Claims, 'of'> }

export function createAdmission({ admission: { maxInFlight, maxQueued, maxQueuedMs, deadlineMs }, claims }: Parts) {
  const limit = createLimit(maxInFlight, deadlineMs)
  const inFlight = new Crowd<Ticket>()
  const queue = new FairQueue<Ticket>()
  let sweeping: NodeJS.Timeout | undefined
  let sweepDueMs = 0
  let lastCaller: Caller<Ticket> | undefined
  let competingUntilMs = 0

  /** How many slots one caller may hold: all of them, unless others would then wait for the event loop. */
  const ofCaller = () => (performance.now() < competingUntilMs ? limit.ofCaller() : limit.total())
  const canBegin = (caller: Caller<Ticket>) => inFlight.size < limit.total() && caller.inFlight < ofCaller()
  const isFull = (caller: Caller<Ticket>) => queue.newcomers >= maxQueued && !canBegin(caller)

  function enter(ticket: Ticket, kind: 'newcomers' | 'returning', patienceMs: number): void {
    if (!sweeping) scheduleSweep()
    const nowMs = performance.now()
    if (ticket.caller !== lastCaller) {
      if (lastCaller) competingUntilMs = nowMs + COMPETING_MS
      lastCaller = ticket.caller
    }
    ticket.dueMs = nowMs + patienceMs
    if (canBegin(ticket.caller)) return begin(ticket)
    queue.add(ticket, kind)
  }

  function begin(ticket: Ticket): void {
    ticket.beganMs = performance.now()
    ticket.dueMs = Math.min(ticket.beganMs + deadlineMs, ticket.dueMs + LEAST_TIME * deadlineMs)
    inFlight.add(ticket)
    queue.count(ticket.caller, 1)
    ticket.begin()
  }

  function release(ticket: Ticket): void {
    if (!inFlight.delete(ticket)) return
    queue.count(ticket.caller, -1)
    limit.note(performance.now() - ticket.beganMs)
    beginNext()
  }

  function beginNext(): void {
    while (!queue.isEmpty && inFlight.size < limit.total()) {
      const next = queue.next(limit.total(), ofCaller())
      if (!next) return
      begin(next)
    }
  }

  /** A client that goes away, or a deadline that passes, frees the slot only when the server no longer works on the request. */
  function end(ticket: Ticket): void {
    ticket.isOver = true
    if (ticket.work === 0) release(ticket)
  }

  function scheduleSweep(): void {
    sweepDueMs = performance.now() + SWEEP_MS
    sweeping = setTimeout(sweep, SWEEP_MS).unref()
  }

  function sweep(): void {
    const nowMs = performance.now()
    limit.recordLag(nowMs - sweepDueMs)
    for (const ticket of queue.overdue(({ dueMs }) => nowMs >= dueMs)) if (queue.remove(ticket)) ticket.giveUp()
    for (const ticket of inFlight.members()) {
      if (nowMs < ticket.dueMs) continue
      const isFirst = !ticket.isOver
      end(ticket)
      if (isFirst) ticket.giveUp()
      else if (nowMs >= ticket.dueMs + (MAX_OVERTIME - 1) * deadlineMs) release(ticket)
    }
    beginNext()
    sweeping = undefined
    if (inFlight.size > 0 || !queue.isEmpty) scheduleSweep()
  }

  /** Before the body is read. A client that sends its body slowly holds no slot meanwhile. */
  const rejectIfOverloaded: RequestHandler = (req, _res, next) => {
    if (queue.newcomers >= maxQueued && !isClaimInBody(req)) {
      const caller = queue.callerOf(claims.of(req))
      if (isFull(caller) && queue.longest(caller, maxQueued) === caller) throw busy()
    }
    next()
  }

  const acquireSlot: RequestHandler = (req, res, next) => {
    const claim = claims.of(req)
    const caller = queue.callerOf(claim)
    if (isFull(caller)) makeRoom(caller)
    const { fingerprint } = claim
    const giveUp = () => refuse(req, res)
    const ticket: Ticket = { caller, queue: undefined, fingerprint, dueMs: 0, beganMs: 0, begin: next, giveUp, isOver: false, work: 0 }
    req.slot = {
      release: () => release(ticket),
      reacquire: () => reacquire(ticket, res),
      keepDuring: (work) => keepDuring(ticket, work),
      assign: (authenticated) =>
        queue.move(ticket, queue.callerOf(authenticated), ticket.seat !== undefined, (other) => other.fingerprint === fingerprint),
    }
    res.once('close', () => {
      if (queue.remove(ticket) && ticket.giveUp !== giveUp) ticket.giveUp()
      end(ticket)
    })
    enter(ticket, 'newcomers', maxQueuedMs)
  }

  /** The caller with the longest queue has its last request refused: a caller that sends little is not refused for one that sends much. */
  function makeRoom(caller: Caller<Ticket>): void {
    const longest = queue.longest(caller, maxQueued)
    const last = longest === caller ? undefined : longest.newcomers.at(-1)
    if (!last) throw busy()
    queue.remove(last)
    last.giveUp()
  }

  async function keepDuring<Result>(ticket: Ticket, work: () => Promise<Result>): Promise<Result> {
    ticket.work++
    try {
      return await work()
    } finally {
      ticket.work--
      if (ticket.isOver) end(ticket)
    }
  }

  function reacquire(ticket: Ticket, res: Response): Promise<boolean> {
    return new Promise((resolve) => {
      if (res.closed) return resolve(false)
      const { giveUp } = ticket
      ticket.giveUp = () => resolve(false)
      ticket.begin = () => {
        ticket.giveUp = giveUp
        resolve(true)
      }
      enter(ticket, 'returning', deadlineMs)
    })
  }

  return { rejectIfOverloaded, acquireSlot }
}

const busy = () => new Failure('unavailable', { message: 'The service is busy', retryAfterSeconds: 1 })

/** Its handler may still be running: its result is discarded, and nothing is used up (`reply.ts`). */
function refuse(req: Request, res: Response): void {
  req.isGivenUp = true
  sendFailure(busy(), req, res, () => {})
}
