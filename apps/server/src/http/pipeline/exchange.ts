import type { Schemas } from '@tiwala/contract'
import type { RequestHandler, Response } from 'express'
import { CLIENT_WENT_AWAY } from '../../failure.ts'
import type { Span } from '../../metrics/tracing.ts'
import type { RequestSlot } from '../load/admission.ts'
import type { Trace } from './trace-context.ts'

export type CheckName = Schemas['CheckName']

/** What the server knows of a request: the steps of the pipeline write it for later steps. */
export type Exchange = {
  /** `X-Request-Id`. */
  readonly requestId: string
  readonly trace: Trace
  /** Undefined without `TIWALA_OTLP_URL`. */
  readonly span: Span | undefined
  /** Set when the body is read (`startDeadline`). */
  slot: RequestSlot | undefined
  /** The request got 503 because it exceeded its deadline. Its handler may still be running. */
  isTimedOut: boolean
  /** The authenticated caller. */
  caller: unknown
  /** The name by which the admission control counts the requests of the caller. */
  callerName: string | undefined
  /** The partner that authenticated, or that exists and was named by a refused request: for log and metrics. */
  partnerCode: string | undefined
  /** The rows that authentication has read for the operation. */
  loaded: unknown
  /** Authenticates the caller again, from the database. */
  reauthenticate: (() => Promise<unknown>) | undefined
  /** The error of a security handler, since the validator would reduce it to a status. */
  refusal: unknown
  /** The checks that the request has passed, in this order. A diagnosis shows them. */
  passed: CheckName[]
}

export const createExchange = (requestId: string, trace: Trace, span?: Span): Exchange => ({
  requestId,
  trace,
  span,
  slot: undefined,
  isTimedOut: false,
  caller: undefined,
  callerName: undefined,
  partnerCode: undefined,
  loaded: undefined,
  reauthenticate: undefined,
  refusal: undefined,
  passed: [],
})

/** Records that the request has passed the check that the steps before this one make. */
export const recordPassed =
  (check: CheckName): RequestHandler =>
  (req, _res, next) => {
    req.exchange.passed.push(check)
    next()
  }

/** The status for log, metrics and traces. Before the headers are sent, the status of Node is 200. */
export const statusOf = ({ headersSent, statusCode }: Response): number =>
  headersSent ? statusCode : CLIENT_WENT_AWAY

declare global {
  // Express collects additions to its types in this namespace.
  namespace Express {
    interface Request {
      exchange: Exchange
      /** Set by express-openapi-validator when it has matched the route. */
      openapi?: {
        openApiRoute: string
        pathParams: Record<string, string>
        schema: { operationId: string; security?: Record<string, string[]>[] }
      }
    }
  }
}
