import type { Request, RequestHandler, Response } from 'express'
import { error as validator } from 'express-openapi-validator'
import { type DestinationStream, type Logger, pino } from 'pino'
import { describeError } from '../../describe-error.ts'
import { Failure } from '../../failure.ts'
import { partnerRequests, requests, requestSeconds, toPartnerLabel } from '../../metrics/registry.ts'
import { readTraceparent, type Span, tracing } from '../../metrics/tracing.ts'
import { VERSION } from '../../program.ts'
import { mintRequestId } from '../../secrets/tokens.ts'
import { createExchange, statusOf } from './exchange.ts'
import { continueTrace } from './trace-context.ts'

/**
 * Log lines are buffered, and also written when the process ends: a write for each line would cost a tenth of
 * a request. The buffer is at most 4 KiB, because pino measures its length again with each line.
 */
const BUFFERED = { minLength: 4 * 1024, periodicFlush: 100, sync: false }

export const createLog = (
  level: string,
  destination: DestinationStream = pino.destination({ dest: 1, ...BUFFERED }),
): Logger =>
  pino(
    {
      level,
      base: { service: 'tiwala', version: VERSION },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  )

/**
 * Gives each request an id, continues its trace, and logs an allow-list of fields: of the headers
 * only the trace id, and never a query, a body or the path of an operation. `partner` is the code of an existing partner.
 */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAtMs = performance.now()
    const requestId = mintRequestId()
    const callers = readTraceparent(req.headers['traceparent'] as string | undefined)
    const span = tracing?.startRoot('server', 'request', callers)
    const trace = continueTrace(callers, span)
    req.exchange = createExchange(requestId, trace, span)
    res.setHeader('X-Request-Id', requestId)
    res.setHeader('traceparent', trace.traceparent)
    res.once('close', () => {
      const ms = performance.now() - startedAtMs
      const level = levelOf(req, res)
      log[level](
        { ...describe(req, res), ms: Math.round(ms) },
        level === 'error' ? 'request failed' : 'request completed',
      )
      count(req, res, ms)
      if (span) endSpan(span, req, res)
    })
    next()
  }
}

/** Another method is a text of the client. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Pages, health checks and the like are logged at debug unless they fail. */
function levelOf(req: Request, res: Response): 'error' | 'warn' | 'info' | 'debug' {
  const failure = failureOf(res)
  const status = statusOf(res)
  // Load shedding is logged at warn, not error: nothing failed.
  if (status >= 500) return failure?.code === 'unavailable' && !failure.cause ? 'warn' : 'error'
  return req.openapi || status >= 400 ? 'info' : 'debug'
}

/** Requests of operations, and everything else together as `none`. */
function count(req: Request, res: Response, ms: number): void {
  const operation = req.openapi?.schema.operationId ?? 'none'
  const status = `${Math.floor(statusOf(res) / 100)}xx`
  const error = failureOf(res)?.code ?? ''
  requests.inc({ operation, status, error })
  const { partnerCode } = req.exchange
  if (partnerCode !== undefined) partnerRequests.inc({ partner: toPartnerLabel(partnerCode), status, error })
  const hasNoDeadline =
    req.exchange.slot?.wasReleased() || res.getHeader('Content-Type') === 'text/event-stream'
  if (!hasNoDeadline) requestSeconds.observe({ operation }, ms / 1_000)
}

function endSpan(span: Span, req: Request, res: Response): void {
  const operation = req.openapi?.schema.operationId ?? 'none'
  const error = failureOf(res)?.code
  span.end(
    {
      'http.request.method': KNOWN_METHODS.has(req.method) ? req.method : '_OTHER',
      'http.response.status_code': statusOf(res),
      'tiwala.operation': operation,
      'tiwala.request_id': req.exchange.requestId,
      ...(error && { 'error.type': error }),
    },
    operation,
    statusOf(res) >= 500,
  )
}

function failureOf(res: Response): Failure | undefined {
  const failure: unknown = res.locals?.['failure']
  return failure instanceof Failure ? failure : undefined
}

function describe(req: Request, res: Response) {
  const failure = failureOf(res)
  return {
    request_id: req.exchange.requestId,
    trace_id: req.exchange.trace.id,
    method: req.method,
    operation: req.openapi?.schema.operationId,
    partner: req.exchange.partnerCode,
    status: statusOf(res),
    error: failure?.code,
    reason: failure?.reason,
    fault: failure?.cause && failure.status >= 500 ? describeCause(failure.cause) : undefined,
  }
}

/**
 * The error, its causes and the stack without the message. For a response that breaks its document also the
 * fields, such as `/response/expires_at (required)`, but no values.
 */
function describeCause(cause: unknown) {
  const stack = cause instanceof Error ? cause.stack : undefined
  const at = stack?.split('\n').filter((line) => line.startsWith('    at '))
  const fields = cause instanceof validator.InternalServerError ? cause.errors.map(describeField) : undefined
  return { ...describeError(cause), fields, at: at?.slice(0, 8) }
}

const describeField = ({ path, errorCode = '' }: { path: string; errorCode?: string }) =>
  `${path} (${errorCode.replace('.openapi.validation', '')})`
