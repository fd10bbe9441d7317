// A bounded number of slots that callers share fairly. A request holds one while it works; a request without
// one waits in the queue of its caller, or is refused.
//
// Callers compete for one second after a request of another caller than the request before it. While they
// compete, one caller holds at most a twelfth of the slots (and at least four); otherwise it may hold all.
// The share is small, because a request in flight waits for the event loop as long as all others in flight
// need it: beside a flood, a twelfth makes a single request 4 times as slow, an eighth 5 times. A caller that
// returns after a pause waits for all that a flood holds. A longer time of competition would spare it this, and
// take a third of the throughput of a partner that signs in 64 citizens at once beside a few requests of others.
// A free slot goes to the waiting caller that holds the fewest; if several hold as few, in turn. When the queue
// is full, the caller with the most waiting requests loses its last one, which may be the new one.
//
// Example: 100 slots, all held by A, and A has 200 more requests waiting. B sends 4 requests. From now on a
// slot that A releases goes to B while B waits; A gets none before it holds fewer than 8.
//
// Only the durations show how many requests a slow database processes in time (latency = requests in flight /
// throughput), so the number of slots follows them. A request that holds its slot for at least half of the
// deadline lowers it to 70 %, but not below 10; ten requests that take less than a quarter raise it by one.
// Without this, a database at twice its capacity let 1 of 5 requests finish in time (`slow-database.test.ts`).
//
// Guarantee: a caller that sends few requests is neither refused nor delayed by the queue of another one.
import { shedRequests } from '../../metrics/registry.ts'

const COMPETING_MS = 1_000
const COMPETING_SHARE = 1 / 12
const MIN_COMPETING = 4
const MIN_SLOTS = 10
const DECREASE = 0.7
const INCREASE = 0.1

/** A caller with requests that hold slots or wait. `newcomers`: how many of those that wait can be refused. */
type Caller = { name: string; inFlight: number; queue: Waiting[]; newcomers: number }

type Waiting = { isReturning: boolean; grant(): void; refuse(reason: Reason | undefined): void }
type Reason = 'queue_full' | 'queue_timeout'

/** Frees the slot, or leaves the queue. May be called more than once. */
export type Release = () => void

type Acquisition = {
  caller: string
  timeoutMs: number
  /** The request had a slot before, so it is not refused for a full queue. */
  isReturning?: boolean
}

export type FairSlots = ReturnType<typeof createFairSlots>

type Bounds = { max: number; maxQueued: number; deadlineMs: number }

export function createFairSlots({ max, maxQueued, deadlineMs }: Bounds) {
  const callers = new Map<string, Caller>()
  /** The callers with a queue, in the order of their turns. */
  const waiting: Caller[] = []
  let inFlight = 0
  let queued = 0
  let slots = max
  let loweredAtMs = -Infinity
  let lastCaller: string | undefined
  let competingUntilMs = 0

  function noteCompetition(caller: string): void {
    if (caller === lastCaller) return
    if (lastCaller !== undefined) competingUntilMs = performance.now() + COMPETING_MS
    lastCaller = caller
  }

  const maxPerCaller = () =>
    performance.now() < competingUntilMs ? Math.max(MIN_COMPETING, Math.floor(max * COMPETING_SHARE)) : max

  const hasFreeSlot = () => inFlight < Math.floor(slots)
  const canStart = (caller: Caller) => hasFreeSlot() && caller.inFlight < maxPerCaller()

  function callerOf(name: string): Caller {
    const existing = callers.get(name)
    if (existing) return existing
    const caller: Caller = { name, inFlight: 0, queue: [], newcomers: 0 }
    callers.set(name, caller)
    return caller
  }

  function forgetIfIdle(caller: Caller): void {
    if (caller.inFlight + caller.queue.length === 0) callers.delete(caller.name)
  }

  function enqueue(caller: Caller, request: Waiting): void {
    if (caller.queue.push(request) === 1) waiting.push(caller)
    if (request.isReturning) return
    caller.newcomers++
    queued++
  }

  function dequeue(caller: Caller, request: Waiting): void {
    caller.queue.splice(caller.queue.indexOf(request), 1)
    if (caller.queue.length === 0) waiting.splice(waiting.indexOf(caller), 1)
    if (request.isReturning) return
    caller.newcomers--
    queued--
  }

  function startNext(): void {
    while (hasFreeSlot()) {
      let caller: Caller | undefined
      for (const candidate of waiting)
        if (canStart(candidate) && candidate.inFlight < (caller?.inFlight ?? Infinity)) caller = candidate
      if (!caller) return
      // Its next turn comes after those of all others.
      waiting.push(...waiting.splice(waiting.indexOf(caller), 1))
      const [request] = caller.queue as [Waiting]
      dequeue(caller, request)
      request.grant()
    }
  }

  /** Slow requests from before the last step are ignored, because they began with more slots. */
  function adapt(startedAtMs: number): void {
    const nowMs = performance.now()
    const heldMs = nowMs - startedAtMs
    if (heldMs < deadlineMs / 4) slots = Math.min(max, slots + INCREASE)
    else if (heldMs >= deadlineMs / 2 && startedAtMs >= loweredAtMs) {
      slots = Math.max(Math.min(max, MIN_SLOTS), slots * DECREASE)
      loweredAtMs = nowMs
    }
  }

  /** The caller with the longest queue, if it is longer than that of this caller with one more request. */
  function longerQueue(arriving: Caller | undefined): Caller | undefined {
    let longest: Caller | undefined
    let length = (arriving?.newcomers ?? 0) + 1
    for (const caller of waiting)
      if (caller.newcomers > length) [longest, length] = [caller, caller.newcomers]
    return longest
  }

  /** Makes the queue one shorter for a request of this caller. Returns false if it is the one to refuse. */
  function makeRoom(arriving: Caller): boolean {
    const longest = longerQueue(arriving)
    if (!longest) return false
    longest.queue.findLast(({ isReturning }) => !isReturning)!.refuse('queue_full')
    return true
  }

  /**
   * Takes a slot now, or waits for one at most `timeoutMs`. `settle` runs once, perhaps at once: with `true` if
   * the request has a slot, with `false` if it was refused, waited too long, or was released while it waited.
   */
  function acquire(
    { caller: name, timeoutMs, isReturning = false }: Acquisition,
    settle: (hasSlot: boolean, release: Release) => void,
  ): Release {
    noteCompetition(name)
    const caller = callerOf(name)
    let state: 'waiting' | 'holding' | 'over' = 'waiting'
    let timer: NodeJS.Timeout | undefined
    let startedAtMs = 0

    function grant(): void {
      clearTimeout(timer)
      state = 'holding'
      startedAtMs = performance.now()
      caller.inFlight++
      inFlight++
      settle(true, release)
    }
    function refuse(reason: Reason | undefined): void {
      clearTimeout(timer)
      if (timer) dequeue(caller, request)
      state = 'over'
      forgetIfIdle(caller)
      if (reason) shedRequests.inc({ reason })
      settle(false, release)
    }
    function release(): void {
      if (state === 'waiting') return refuse(undefined)
      if (state === 'over') return
      state = 'over'
      caller.inFlight--
      inFlight--
      adapt(startedAtMs)
      startNext()
      forgetIfIdle(caller)
    }
    const request: Waiting = { isReturning, grant, refuse }
    if (caller.queue.length === 0 && canStart(caller)) grant()
    else if (!isReturning && queued >= maxQueued && !makeRoom(caller)) refuse('queue_full')
    else {
      timer = setTimeout(refuse, timeoutMs, 'queue_timeout')
      enqueue(caller, request)
      startNext()
    }
    return release
  }

  return {
    acquire,
    inFlight: () => inFlight,
    callers: () => callers.size,
    queued: () => queued,
    /** Whether a further request of this caller would be refused at once. */
    isFull: (name: string) => !hasFreeSlot() && queued >= maxQueued && !longerQueue(callers.get(name)),
  }
}
