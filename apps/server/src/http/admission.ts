import type { OperationId } from '@tiwala/contract'
import type { Request, RequestHandler, Response } from 'express'
import type { Config } from '../config.ts'
import { answerFailure } from './answer-failure.ts'
import { Crowd, type Member } from './crowd.ts'
import { Failure } from './failure.ts'
import { createLimit } from './latency-limit.ts'

/** How late the end of a time may be noticed: one timer looks after all requests. */
const SWEEP_MS = 25

/** A request that is worked on, or stands in a line: until when, what begins when its turn comes, and what is done if its time is over. */
type Ticket = Member & { dueMs: number; begin: () => void; giveUp: () => void }

/**
 * How many requests are worked on at once, how many wait for that, for how long, and how long they may then take. Whom there is no room
 * or time for is answered 503 at once, so that the others are answered in time (DESIGN section 10).
 */
export function createAdmission({ mostUnderWay, mostQueued, longestQueuedMs, answerWithinMs }: Config['admission']) {
  const limit = createLimit(mostUnderWay, answerWithinMs)
  const underWay = new Crowd<Ticket>()
  const newcomers = new Set<Ticket>()
  const returning = new Set<Ticket>()
  let isReturnersTurn = false
  let sweeping: NodeJS.Timeout | undefined

  const isRoom = () => underWay.size < limit.now()
  const isFull = () => !isRoom() && newcomers.size >= mostQueued

  function enter(ticket: Ticket, line: Set<Ticket>, longestMs: number): void {
    sweeping ??= setTimeout(sweep, SWEEP_MS).unref()
    if (isRoom()) return begin(ticket)
    ticket.dueMs = performance.now() + longestMs
    line.add(ticket)
  }

  function begin(ticket: Ticket): void {
    ticket.dueMs = performance.now() + answerWithinMs
    underWay.add(ticket)
    ticket.begin()
  }

  function leave(ticket: Ticket): void {
    if (!underWay.delete(ticket)) return
    limit.note(performance.now() - ticket.dueMs + answerWithinMs)
    callNext()
  }

  /** From each line in turn, so that neither holds up the other. */
  function callNext(): void {
    while (newcomers.size + returning.size > 0 && isRoom()) {
      isReturnersTurn = !isReturnersTurn
      const line = (isReturnersTurn && returning.size > 0) || newcomers.size === 0 ? returning : newcomers
      const [ticket] = line
      line.delete(ticket!)
      begin(ticket!)
    }
  }

  function sweep(): void {
    const nowMs = performance.now()
    const isOver = ({ dueMs }: Ticket) => nowMs >= dueMs
    for (const line of [newcomers, returning]) for (const ticket of line) if (isOver(ticket) && line.delete(ticket)) ticket.giveUp()
    for (const ticket of underWay.members()) {
      if (!isOver(ticket)) continue
      leave(ticket)
      ticket.giveUp()
    }
    sweeping = underWay.size + newcomers.size + returning.size > 0 ? setTimeout(sweep, SWEEP_MS).unref() : undefined
  }

  /** Before the body is read. Who sends one slowly takes up no room meanwhile: they have not entered. */
  const shed: RequestHandler = (_req, _res, next) => {
    if (isFull()) throw busy()
    next()
  }

  const admit: RequestHandler = (req, res, next) => {
    if (isFull()) throw busy()
    const ticket: Ticket = { dueMs: 0, begin: next, giveUp: () => refuse(req, res) }
    req.place = { leave: () => leave(ticket), retake: () => retake(ticket, res) }
    res.once('close', () => {
      newcomers.delete(ticket)
      if (returning.delete(ticket)) ticket.giveUp()
      leave(ticket)
    })
    enter(ticket, newcomers, longestQueuedMs)
  }

  function retake(ticket: Ticket, res: Response): Promise<boolean> {
    return new Promise((resolve) => {
      if (res.closed) return resolve(false)
      const { giveUp } = ticket
      ticket.giveUp = () => resolve(false)
      ticket.begin = () => {
        ticket.giveUp = giveUp
        resolve(true)
      }
      enter(ticket, returning, answerWithinMs)
    })
  }

  return { shed, admit }
}

const busy = () => new Failure('unavailable', { message: 'The service is busy', retryAfterSeconds: 1 })

/** What goes on being done for it is in vain: no other answer is sent, and nothing is used up (`reply.ts`). */
function refuse(req: Request, res: Response): void {
  answerFailure(busy(), req, res, () => {})
}

/** What administrators start and wait for. It is bounded by the few connections that it has apart from the others. */
export const UNHURRIED: ReadonlySet<string> = new Set<OperationId>(['importCitizens', 'verifyAudit', 'rewrapKeys', 'completeRestore'])

/** Gives the place back, and with it the time to answer, once it is known who asks for what. */
export const letTakeTime: RequestHandler = (req, _res, next) => {
  if (UNHURRIED.has(req.openapi?.schema.operationId ?? '')) req.place?.leave()
  next()
}
