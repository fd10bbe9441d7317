import type { Claim } from '../authentication/claims.ts'
import type { Slot } from '../operation.ts'
import type { AccessToken } from '../sso/access-token.ts'

/** What our middleware leaves on a request for the next. */
declare global {
  // Express collects additions to its types in this namespace.
  namespace Express {
    interface Request {
      /** `X-Request-Id`. */
      requestId: string
      /**
       * Left by the admission. `keepDuring`: the slot is kept until the work ends, even if the request is answered or its client goes away
       * earlier. `assign`: the caller is authenticated; the request counts as that caller's from now on.
       */
      slot?: Slot & { keepDuring<Result>(work: () => Promise<Result>): Promise<Result>; assign(caller: Claim): void }
      /** The deadline passed before there was an answer. */
      isGivenUp?: true
      /** The caller that the request claims to come from, before it is authenticated. */
      claim?: Claim
      /** The access token in `Authorization`, if this service issued it. Whether it is still valid, the database decides. */
      accessToken?: AccessToken | undefined
      /** The authenticated caller. */
      caller?: unknown
      /** What authentication has read for the operation (`LoadedOf`). */
      loaded?: unknown
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
