// The requests of partners, kept for their people (`listRequests`).
//
// A request of the partner API is queued after its response. Every 200 ms one statement inserts the queue. No request
// waits for it. Under overload, requests are dropped and counted: the metric and the figures of the partner say how many are missing. Requests that
// only name a partner, as anyone can, also by an access token that has ended, fill at most half of the queue, and of each
// partner each process keeps at most 600 in a minute.
import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import { type Figures, withinMs } from '../figures/count-figures.ts'
import type { NewFigure } from '../figures/figures.sql.ts'
import { createWindowCounter } from '../limits/window-counter.ts'
import { lostPartnerRequests } from '../metrics/registry.ts'
import type { Service } from '../operation.ts'
import { insertRequests, type NewRequest } from './requests.sql.ts'

const FLUSH_EVERY_MS = 200
const MINUTE_MS = 60_000
/** What a process at its full rate answers in a second. */
const MAX_QUEUED = 10_000
const MAX_QUEUED_NAMED = MAX_QUEUED / 2
const MAX_NAMED_PER_MINUTE = 600
/** One statement stays short. */
const MAX_INSERTED = 2_000

/** `isAuthenticated`: a secret or an access token of the partner was accepted. Otherwise, the request only names it. */
export type LoggedRequest = Omit<NewRequest, 'ago_seconds'> & {
  isAuthenticated: boolean
  startedAtMs: number
}

export type RequestLog = { record(request: LoggedRequest): void; stop(): Promise<void> }

export function startRequestLog(
  { db, log }: Pick<Service, 'db' | 'log'>,
  figures: Pick<Figures, 'add'>,
): RequestLog {
  const queued: LoggedRequest[] = []
  const named = createWindowCounter(MINUTE_MS)

  const countUnlisted = (request: LoggedRequest) =>
    figures.add({ ...toFigure(request), kind: 'unlisted', operation: '', outcome: '', within_ms: 0 })

  const flush = async (): Promise<boolean> => {
    const batch = queued.splice(0, MAX_INSERTED)
    if (batch.length === 0) return false
    const nowMs = performance.now()
    try {
      await insertRequests(
        db,
        batch.map((request) => ({ ...request, ago_seconds: (nowMs - request.startedAtMs) / 1_000 })),
      )
    } catch (error) {
      lostPartnerRequests.inc(batch.length)
      batch.forEach(countUnlisted)
      log.warn(
        describeError(error),
        'requests of partners are missing in their lists; check the database if this repeats',
      )
    }
    return queued.length >= MAX_INSERTED
  }
  const loop = startPollLoop(FLUSH_EVERY_MS, flush)

  const hasRoom = ({ isAuthenticated, partner_id, secret_code, partner_code }: LoggedRequest) =>
    isAuthenticated
      ? queued.length < MAX_QUEUED
      : queued.length < MAX_QUEUED_NAMED &&
        named.count(`${partner_id} ${secret_code} ${partner_code}`) <= MAX_NAMED_PER_MINUTE

  return {
    record: (request) => {
      const isKept = hasRoom(request)
      // A request that only names the partner counts if it is listed.
      if (isKept || request.isAuthenticated) figures.add(toFigure(request))
      if (isKept) queued.push(request)
      else {
        lostPartnerRequests.inc()
        if (request.isAuthenticated) countUnlisted(request)
      }
    },
    stop: async () => {
      await loop.end()
      while (queued.length > 0) await flush()
    },
  }
}

function toFigure(request: LoggedRequest): NewFigure {
  const { partner_id, secret_code, partner_code, operation, status, error, duration_ms } = request
  const outcome = error ?? (status < 400 ? '' : String(status))
  const within_ms = withinMs(duration_ms)
  return { partner_id, secret_code, partner_code, kind: 'request', operation, outcome, within_ms, count: 1 }
}
