import type { Request, RequestHandler, Response } from 'express'
import { type DestinationStream, type Logger, pino } from 'pino'
import { Failure } from '../failure.ts'
import { mintRequestId } from '../secrets/tokens.ts'

/**
 * What is logged is written together, and at the end of the process: a write for each line would cost a tenth of a request.
 * No more than 4 KiB, since what has gathered is measured anew with each line.
 */
const TOGETHER = { minLength: 4 * 1024, periodicFlush: 100, sync: false }

/** To standard output, unless told otherwise. */
export const createLog = (level: string, destination: DestinationStream = pino.destination({ dest: 1, ...TOGETHER })): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)

/** Numbers each request and logs it by an allow-list: never a header, a query, a body or an address of the API's own. */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const beganMs = performance.now()
    req.requestId = mintRequestId()
    res.setHeader('X-Request-Id', req.requestId)
    res.once('close', () => {
      const level = levelOf(req, res)
      log[level]({ ...describe(req, res), ms: Math.round(performance.now() - beganMs) }, level === 'error' ? 'failed' : 'answered')
    })
    next()
  }
}

/** Pages, health checks and the like are worth a line only when they fail. */
function levelOf(req: Request, res: Response): 'error' | 'warn' | 'info' | 'debug' {
  const failure = failureOf(res)
  // Of what was refused because there is too much to do, nothing failed.
  if (res.statusCode >= 500) return failure?.code === 'unavailable' && !failure.cause ? 'warn' : 'error'
  return req.openapi || res.statusCode >= 400 ? 'info' : 'debug'
}

function failureOf(res: Response): Failure | undefined {
  const failure: unknown = res.locals?.['failure']
  return failure instanceof Failure ? failure : undefined
}

function describe(req: Request, res: Response) {
  const failure = failureOf(res)
  return {
    request_id: req.requestId,
    method: req.method,
    operation: req.openapi?.schema.operationId,
    status: res.statusCode,
    error: failure?.code,
    fault: failure?.cause && failure.status >= 500 ? describeFault(failure.cause) : undefined,
  }
}

/** Name, code and place of a fault. Its message may hold what somebody sent, so it stays out. */
function describeFault(cause: unknown) {
  if (!(cause instanceof Error)) return { name: typeof cause }
  const code = 'code' in cause ? String(cause.code) : undefined
  return {
    name: cause.name,
    code,
    at: cause.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 8),
  }
}
