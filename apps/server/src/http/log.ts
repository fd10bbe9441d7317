import type { Request, Response } from 'express'
import { type DestinationStream, type Logger, pino } from 'pino'
import { type HttpLogger, pinoHttp } from 'pino-http'
import { mintRequestId } from '../secrets/artefact.ts'
import { Failure } from './failure.ts'

/** To standard output, unless told otherwise. */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)

/** Numbers each request and logs it by an allow-list: never a header, a query, a body or an address of the API's own. */
export function logRequests(log: Logger): HttpLogger {
  return pinoHttp({
    logger: log,
    genReqId: (_req, res) => {
      const id = mintRequestId()
      res.setHeader('X-Request-Id', id)
      return id
    },
    quietReqLogger: true,
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    // Pages, health checks and the like are worth a line only when they fail.
    customLogLevel: (req, res) => {
      if (res.statusCode >= 500) return 'error'
      return (req as Request).openapi || res.statusCode >= 400 ? 'info' : 'debug'
    },
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'failed',
    customAttributeKeys: { reqId: 'request_id', responseTime: 'ms' },
    customSuccessObject: (req, res, { ms }) => ({ ...describe(req as unknown as Request, res as unknown as Response), ms }),
    customErrorObject: (req, res, _error, { ms }) => ({ ...describe(req as unknown as Request, res as unknown as Response), ms }),
  })
}

function describe(req: Request, res: Response) {
  const failure: unknown = res.locals?.['failure']
  return {
    method: req.method,
    operation: req.openapi?.schema.operationId,
    status: res.statusCode,
    error: failure instanceof Failure ? failure.code : undefined,
    fault: failure instanceof Failure && failure.status >= 500 ? describeFault(failure.cause) : undefined,
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
