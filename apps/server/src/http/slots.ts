// The slots of the concurrency limit, and the queue for them. `admission.ts` describes the states of a
// request and the guarantees.
import type { Config } from '../config.ts'
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
export interface Ticket extends InFlightRequest, Queued<Ticket> {
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

export function createSlots({ maxInFlight, maxQueued, deadlineMs }: Config['admission']) {
  const limit = createConcurrencyLimit(maxInFlight, deadlineMs)
  const inFlight = new InFlightRequests<Ticket>()
  const queue = new FairQueue<Ticket>()
  const competition = createCompetition()
  const sweeper = createSweeper(sweep, limit.recordLag)

  /** How many slots one caller may hold: all of them, unless callers compete. */
  const maxPerCaller = () => (competition.isOn() ? limit.perCaller() : limit.total())
  const canStart = (caller: Caller<Ticket>) =>
    inFlight.size < limit.total() && caller.inFlight < maxPerCaller()

  /** A new request of the caller can neither start nor wait, unless another one leaves the queue. */
  const isFull = (caller: Caller<Ticket>) => queue.newcomers >= maxQueued && !canStart(caller)

  /** Takes a slot now or, in the queue, within the time. */
  function enter(ticket: Ticket, kind: 'newcomers' | 'returning', timeoutMs: number): void {
    sweeper.start()
    competition.record(ticket.caller)
    ticket.deadlineAtMs = performance.now() + timeoutMs
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

  function startNext(): void {
    while (!queue.isEmpty && inFlight.size < limit.total()) {
      const next = queue.next(limit.total(), maxPerCaller())
      if (!next) return
      start(next)
    }
  }

  function release(ticket: Ticket): void {
    if (!inFlight.delete(ticket)) return
    queue.removeInFlight(ticket.caller)
    limit.recordDuration(performance.now() - ticket.startedAtMs)
    startNext()
  }

  /** Frees the slot now or, if a handler still runs, when it ends. */
  function end(ticket: Ticket): void {
    ticket.isResponseDone = true
    if (ticket.running === 0) release(ticket)
  }

  /** Ends what is late. Returns whether requests remain. */
  function sweep(): boolean {
    const nowMs = performance.now()
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
    return inFlight.size > 0 || !queue.isEmpty
  }

  return { queue, isFull, enter, release, end, inFlight: () => inFlight.size }
}

export type Slots = ReturnType<typeof createSlots>

/** Whether several callers send requests at present. */
function createCompetition() {
  let lastCaller: Caller<Ticket> | undefined
  let untilMs = 0
  return {
    isOn: () => performance.now() < untilMs,
    record(caller: Caller<Ticket>): void {
      if (caller === lastCaller) return
      if (lastCaller) untilMs = performance.now() + COMPETING_MS
      lastCaller = caller
    },
  }
}

/** From `start` on, calls `sweep` at intervals until it returns false, and reports how late each call is. */
function createSweeper(sweep: () => boolean, recordLag: (lagMs: number) => void) {
  let isRunning = false
  let nextAtMs = 0
  function schedule(): void {
    nextAtMs = performance.now() + SWEEP_MS
    setTimeout(run, SWEEP_MS).unref()
  }
  function run(): void {
    recordLag(performance.now() - nextAtMs)
    isRunning = sweep()
    if (isRunning) schedule()
  }
  return {
    start(): void {
      if (isRunning) return
      isRunning = true
      schedule()
    },
  }
}
