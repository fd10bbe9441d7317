// Admission control: how many requests the server works on at once, how many wait and for how long, and how
// long a request may take. A request for which there is no slot or no time gets 503 (load shedding), so that
// the others get their response in time.
//
// States of a request:
// - reading: its body is read. It holds nothing. Its deadline begins when the body is complete.
// - authenticating: a credential that needs the database or a signature check takes a slot of
//   `authentications`, shared by address, or by partner and address if the secret was valid a moment ago.
// - operating: it holds a slot of `operations`, shared by authenticated caller, until its response is sent.
//   Wrong credentials and invalid requests never come so far.
// - over: the response is sent, the deadline has passed or the client has gone, but a handler may still be
//   running. The request keeps its slot until the handler ends, at most for twice its deadline.
// A request that only waits (`Prefer: wait`) releases its slot and has no deadline. When it continues, it
// takes a slot again; if it gets none within `deadlineMs`, it responds with what it has read before.
//
// Example: 100 slots, `maxQueued` 1,000, `maxQueuedMs` 500, `deadlineMs` 1,000. Of 1,200 requests that arrive
// at once from one caller, 100 are in flight, 1,000 wait, and 100 get 503 at once. A request that waited 400
// ms has 850 ms left.
//
// Guarantees: a request gets its response or 503 within `deadlineMs`, or within `maxQueuedMs` + 3/4
// `deadlineMs` if it waited for its slot. A returning request gets it within twice `deadlineMs` from then on.
// `fair-slots.ts` says how callers share.
import type { ErrorRequestHandler, NextFunction, RequestHandler, Response } from 'express'
import type { Config } from '../../config.ts'
import { Failure } from '../../failure.ts'
import { shedRequests } from '../../metrics/registry.ts'
import { type Span, tracing } from '../../metrics/tracing.ts'
import { addressOf } from '../../network/addresses.ts'
import type { Slot } from '../../operation.ts'
import { isLongRunningOperation } from '../../operations.ts'
import { createFairSlots, type FairSlots, type Release } from './fair-slots.ts'

/** What the pipeline of a request can do with its slot. */
export type RequestSlot = Slot & {
  /** Takes a slot for the operation. 503 if there is none in time. */
  operateAs(caller: string, next: NextFunction): void
  /** Runs the work with a slot for authentication. Refused with 503 if there is none in time. */
  authenticateAs<Result>(caller: string, work: () => Promise<Result>): Promise<Result>
  /** The request keeps its slot until the work ends, even if its response was sent or its client has gone. */
  keepDuring<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether the request has waited or run without a slot and a deadline. */
  wasReleased(): boolean
}

/** The part of the deadline that a request has left at least, however long it waited for its slot. */
const MIN_DEADLINE_SHARE = 3 / 4

type AdmissionDependencies = { admission: Config['admission']; sendFailure: ErrorRequestHandler }

export function createAdmission({ admission, sendFailure }: AdmissionDependencies) {
  const { maxInFlight: max, maxQueued, maxQueuedMs, deadlineMs } = admission
  const authentications = createFairSlots({ max, maxQueued, deadlineMs })
  const operations = createFairSlots({ max, maxQueued, deadlineMs })
  /** A request that waited for its slot needs time to use it. */
  const deadlineAfterWaitMs = Math.max(deadlineMs, maxQueuedMs + MIN_DEADLINE_SHARE * deadlineMs)

  /** For pages, which need no slot. A flood of one address or partner does not count against the others. */
  const rejectIfOverloaded: RequestHandler = (req, _res, next) => {
    const address = addressOf(req)
    if (authentications.isFull(address) || operations.isFull(address)) {
      shedRequests.inc({ reason: 'queue_full' })
      throw busy()
    }
    next()
  }

  /** Runs after the body is read. A client that sends its body slowly has the time limit of the server. */
  const startDeadline: RequestHandler = (req, res, next) => {
    // The handler may still be running. Its result is discarded, and it starts no commit any more (`reply.ts`). A
    // commit that is running goes on.
    const onDeadline = () => {
      shedRequests.inc({ reason: 'deadline' })
      req.exchange.isTimedOut = true
      sendFailure(busy(), req, res, () => {})
    }
    const slot = createRequestSlot(res, onDeadline)
    req.exchange.slot = slot
    res.once('close', slot.end)
    next()
  }

  /** Long-running operations have no deadline and no slot. `dispatch` refuses a request without a caller. */
  const acquireSlot: RequestHandler = (req, _res, next) => {
    const isLongRunning = isLongRunningOperation(req.openapi?.schema.operationId)
    const { callerName, slot } = req.exchange
    if (isLongRunning) slot!.release()
    if (isLongRunning || callerName === undefined) next()
    else slot!.operateAs(callerName, next)
  }

  function createRequestSlot(res: Response, onDeadline: () => void): RequestSlot & { end(): void } {
    let release: Release = () => {}
    let isWaiting = false
    /** The number of handlers that run for the request. */
    let running = 0
    let isOver = false
    let wasReleased = false
    let operatingAs = ''
    const startedAtMs = performance.now()
    let timer = setTimeout(expire, deadlineMs)

    function acquire(
      slots: FairSlots,
      acquisition: Parameters<FairSlots['acquire']>[0],
      settle: (hasSlot: boolean) => void,
    ): void {
      isWaiting = true
      let span: Span | undefined
      release = slots.acquire(acquisition, (hasSlot, ownRelease) => {
        isWaiting = false
        release = ownRelease
        span?.end({ 'tiwala.has_slot': hasSlot })
        settle(hasSlot)
      })
      if (isWaiting) span = tracing?.startChild('wait for a slot', res.req.exchange.span)
    }
    function expire(): void {
      if (!isOver) onDeadline()
      end()
      // A handler that never ends must not keep the slot for ever.
      if (running > 0) timer = setTimeout(release, deadlineMs)
    }
    /** Frees the slot now or, if a handler still runs, when it ends. */
    function end(): void {
      isOver = true
      if (running > 0 && !isWaiting) return
      clearTimeout(timer)
      release()
    }
    async function keepDuring<Result>(work: () => Promise<Result>): Promise<Result> {
      running++
      try {
        return await work()
      } finally {
        running--
        if (isOver) end()
      }
    }
    return {
      end,
      keepDuring,
      async authenticateAs(caller, work) {
        const acquisition = { caller, timeoutMs: maxQueuedMs }
        const hasSlot = await new Promise((resolve) => acquire(authentications, acquisition, resolve))
        if (!hasSlot) throw busy()
        try {
          return await keepDuring(work)
        } finally {
          release()
        }
      },
      operateAs(caller, next) {
        operatingAs = caller
        let isLate = false
        acquire(operations, { caller, timeoutMs: maxQueuedMs }, (hasSlot) => {
          if (!hasSlot) return isOver ? undefined : next(busy())
          if (isLate) {
            clearTimeout(timer)
            timer = setTimeout(expire, startedAtMs + deadlineAfterWaitMs - performance.now())
          }
          next()
        })
        isLate = isWaiting
      },
      release() {
        wasReleased = true
        clearTimeout(timer)
        release()
      },
      wasReleased: () => wasReleased,
      reacquire: () =>
        new Promise((resolve) => {
          if (isOver) return resolve(false)
          const acquisition = { caller: operatingAs, timeoutMs: deadlineMs, isReturning: true }
          acquire(operations, acquisition, (hasSlot) => {
            if (hasSlot) timer = setTimeout(expire, deadlineMs)
            resolve(hasSlot)
          })
        }),
    }
  }

  return {
    rejectIfOverloaded,
    startDeadline,
    acquireSlot,
    inFlight: () => authentications.inFlight() + operations.inFlight(),
    queued: () => authentications.queued() + operations.queued(),
  }
}

export const busy = () => new Failure('unavailable', { message: 'The service is busy', retryAfterSeconds: 1 })
