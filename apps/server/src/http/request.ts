import type { RequestSlot } from './load/admission.ts'
import type { Trace } from './trace-context.ts'

/** The properties that middleware sets on a request for later middleware. */
declare global {
  // Express collects additions to its types in this namespace.
  namespace Express {
    interface Request {
      /** `X-Request-Id`. */
      requestId: string
      trace: Trace
      /** For the page or the controls of the sandbox, so that no metric counts it. */
      isSandboxControl?: true
      /** Set by `startDeadline`. */
      slot: RequestSlot
      /** The request got 503 because it exceeded its deadline. Its handler may still be running. */
      isTimedOut?: true
      /** The authenticated caller. */
      caller?: unknown
      /** The name by which the admission control counts the requests of the caller. */
      callerName?: string
      /** The rows that authentication has read for the operation (`LoadedOf`). */
      loaded?: unknown
      /** Authenticates the caller again, from the database. */
      reauthenticate?: () => Promise<unknown>
      /** The error of a security handler, since the validator would reduce it to a status. */
      refusal?: unknown
      /** Set by express-openapi-validator when it has matched the route. */
      openapi?: {
        openApiRoute: string
        pathParams: Record<string, string>
        schema: { operationId: string; security?: Record<string, string[]>[] }
      }
    }
  }
}
