// Lists the requests of the partners of sandboxes, so that their developers see what they sent (`GET
// /sandbox/{sandbox_id}/requests`).
//
// A request of the partner API is queued after its response. Every 200 ms the queue is flushed: one statement
// inserts the requests whose partner belongs to a sandbox. If the queue is full, requests are
// dropped. No request waits for the list.
import type { RequestHandler } from 'express'
import { startPollLoop } from '../background/poll-loop.ts'
import { describeError } from '../describe-error.ts'
import { isAuthenticated } from '../diagnostics/refusal.ts'
import { Failure } from '../failure.ts'
import { partnerOf } from '../http/pipeline/record-refusals.ts'
import type { Service } from '../operation.ts'
import { policyOf, partnerPolicyOf } from '../operations.ts'
import { insertRequests, type LoggedRequest } from './request-log.sql.ts'

const FLUSH_EVERY_MS = 200
const MAX_QUEUED = 1_000
/** Anyone can name a partner. Such requests leave room for those that authenticated. */
const MAX_QUEUED_NAMED = MAX_QUEUED / 2

type QueuedRequest = Omit<LoggedRequest, 'ago_seconds'> & { atMs: number }

export type RequestLog = { record: RequestHandler; stop(): Promise<void> }

export function startRequestLog({ db, log }: Service): RequestLog {
  const queued: QueuedRequest[] = []
  const flush = async () => {
    const batch = queued.splice(0).map(({ atMs, ...request }) => ({
      ...request,
      ago_seconds: (performance.now() - atMs) / 1000,
    }))
    if (batch.length > 0)
      await insertRequests(db, batch).catch((error: unknown) =>
        log.warn(
          describeError(error),
          'requests of sandboxes are missing in their lists; check the database',
        ),
      )
  }
  const loop = startPollLoop(FLUSH_EVERY_MS, flush)

  const record: RequestHandler = (req, res, next) => {
    const startedAtMs = performance.now()
    res.once('finish', () => {
      const operation = req.openapi?.schema.operationId
      if (policyOf(operation) && !partnerPolicyOf(operation)) return
      const partner = partnerOf(req, operation ?? null)
      if (!partner || queued.length >= (isAuthenticated(partner) ? MAX_QUEUED : MAX_QUEUED_NAMED)) return
      const failure: unknown = res.locals['failure']
      queued.push({
        request_id: req.exchange.requestId,
        method: req.method,
        operation: operation ?? null,
        status: res.statusCode,
        error: failure instanceof Failure ? failure.code : null,
        duration_ms: Math.round(performance.now() - startedAtMs),
        partner_id: 'id' in partner ? partner.id : null,
        secret_code: 'secretCode' in partner ? partner.secretCode : null,
        partner_code: 'partnerCode' in partner ? partner.partnerCode : null,
        atMs: startedAtMs,
      })
    })
    next()
  }

  return {
    record,
    stop: async () => {
      await loop.end()
      await flush()
    },
  }
}
