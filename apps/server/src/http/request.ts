import type { Place } from '../operation.ts'

/** What our middleware leaves on a request for the next. */
declare global {
  // Express collects additions to its types in this namespace.
  namespace Express {
    interface Request {
      /** `X-Request-Id`. */
      requestId: string
      /** Left by the admission. */
      place?: Place
      /** Who calls, once proved. */
      caller?: unknown
      /** Authenticates the caller again, from the database. */
      reauthenticate?: () => Promise<unknown>
      /** Why a security handler refused: the validator would flatten it to a status. */
      refusal?: unknown
      /** Left by express-openapi-validator once the route is known. */
      openapi?: {
        openApiRoute: string
        pathParams: Record<string, string>
        schema: { operationId: string; security?: Record<string, string[]>[] }
      }
    }
  }
}
