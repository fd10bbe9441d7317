import type { Claim } from '../authentication/claims.ts'
import type { Slot } from '../operation.ts'
import type { AccessToken } from '../sso/access-token.ts'
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
      /**
       * Set by `acquireSlot`. `keepDuring`: the request keeps its slot until the work ends, even if its
       * response was sent or its client has gone before. `assign`: the caller is authenticated, and the
       * request counts as that caller's.
       */
      slot: Slot & {
        keepDuring<Result>(work: () => Promise<Result>): Promise<Result>
        assign(caller: Claim): void
      }
      /**
       * The request got 503 because it lost its place in the queue, got no slot in time or exceeded its
       * deadline. Its handler may still be running.
       */
      isTimedOut?: true
      /** The caller that the request claims to come from, before it is authenticated. */
      claim?: Claim
      /**
       * The access token in `Authorization` if this service issued it. The database decides whether it is
       * still valid.
       */
      accessToken?: AccessToken | undefined
      /** The authenticated caller. */
      caller?: unknown
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
