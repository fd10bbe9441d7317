import type {
  Body,
  CitizenAppOperations,
  Header,
  OperationId,
  OperatorOperations,
  PartnerOperations,
  Path,
  Query,
  Schemas,
  Success,
  SuccessStatus,
} from '@tiwala/contract'
import type { Logger } from 'pino'
import type { RequestContext } from './audit/insert-audit.sql.ts'
import type { Shareable } from './authorizations/profile-by-qr/profile-by-qr.sql.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Notifications } from './database/notifications.ts'
import type { ConcurrencyCaps } from './limits/concurrency-caps.ts'
import type { PartnerCache } from './partners/partner-cache.ts'
import type { AuthenticatedPartner, CachedPartner } from './partners/partner.ts'
import type { KeyRing } from './secrets/key-ring.ts'
import type { AuthenticatedToken, TokenCitizen } from './sso/authenticate/authenticate.sql.ts'

/** Everything that an operation needs. */
export type Service = {
  db: Database
  config: Config
  keys: KeyRing
  log: Logger
  notifications: Notifications
  concurrencyCaps: ConcurrencyCaps
  partnerCache: PartnerCache<CachedPartner>
}

/** The authenticated caller of an operation. */
export type CallerOf<Id extends OperationId> = Id extends 'authenticate'
  ? AuthenticatedToken
  : Id extends keyof PartnerOperations
    ? AuthenticatedPartner
    : Id extends keyof CitizenAppOperations
      ? { uniqidHmacs: string[]; tokenExpiresAtMs: number }
      : Id extends keyof OperatorOperations
        ? { subject: string }
        : never

/**
 * The rows that authentication has already read for the operation, which saves a round trip. Reading them
 * uses nothing up.
 */
export type LoadedOf<Id extends OperationId> = Id extends 'authenticate'
  ? TokenCitizen
  : Id extends 'profileByQr'
    ? Shareable | undefined
    : undefined

/**
 * A request's permit to be in flight, with the deadline of the request. A request that only waits releases
 * its slot, and reacquires one when it continues. `reacquire` returns false if no slot became free in time or
 * the client has gone away.
 */
export type Slot = { release(): void; reacquire(): Promise<boolean> }

/** A request that is valid by the contract. */
export type Call<Id extends OperationId> = RequestContext & {
  caller: CallerOf<Id>
  loaded: LoadedOf<Id>
  /** Authenticates the caller again, past every cache, and refuses one that lost its access. */
  reauthenticate: () => Promise<CallerOf<Id>>
  query: Query<Id>
  path: Path<Id>
  body: Body<Id>
  header: (name: keyof Header<Id> & string) => string | undefined
  /** The listener runs when the client has gone away or the response was sent. */
  onClose: (listener: () => void) => void
  slot: Slot
}

/** Server-sent events: each text is written when it comes, until the client or the server ends the stream. */
export type StreamReply = { status: 200; stream: AsyncIterable<string> }

export type BodyReply<Id extends OperationId> = {
  status: SuccessStatus<Id>
  body: Success<Id>
  headers?: Record<string, string>
  /**
   * Runs after the body was validated and the client is known to be connected, before the first byte is
   * written. Single-use effects (use up a code, record a disclosure) belong here, so that an error of the
   * service does not burn the code.
   */
  commit?: () => Promise<void>
}

export type Reply<Id extends OperationId> = [Success<Id>] extends [never] ? StreamReply : BodyReply<Id>

export type Operation<Id extends OperationId> = (service: Service, call: Call<Id>) => Promise<Reply<Id>>

type Run<Id extends OperationId> = { run: Operation<Id> }

/**
 * How a partner authenticates: by two headers, by fields of the body, or by an access token that it obtained.
 */
type PartnerAuthentication = 'secret_headers' | 'secret_in_body' | 'access_token'

/** Everything that is decided about an operation of the partner API and is not in its contract. */
export type PartnerPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  authentication: PartnerAuthentication
  /** The scope that the partner needs. Null: every active partner may send the request. */
  scope: Schemas['Scope'] | null
  /** The field `scope` of the body must name the same scope. */
  isScopeInBody: boolean
  /** Which of the partner's limits per minute applies. Null: none. */
  rateLimit: Exclude<keyof Schemas['PartnerLimits'], 'per_day'> | null
  /** Successful requests count against the partner's daily quota. */
  isCountedDaily: boolean
  /**
   * Reads what the operation needs, at the same time as the partner is authenticated. It must not use
   * anything up.
   */
  preload:
    | ((service: Service, secretCode: string, query: Record<string, unknown>) => Promise<LoadedOf<Id>>)
    | null
  /** The checks, in the order in which they run. A diagnosis lists them. */
  checks: readonly Schemas['CheckName'][]
}

/**
 * The scopes of operators are in the document. `isLongRunning`: no deadline, no slot, and separate database
 * connections.
 */
export type OperatorPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  authentication: 'operator_token'
  isLongRunning: boolean
}
export type CitizenPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  authentication: 'citizen_token'
}

export type Policy<Id extends OperationId = OperationId> = Id extends keyof PartnerOperations
  ? PartnerPolicy<Id>
  : Id extends keyof CitizenAppOperations
    ? CitizenPolicy<Id>
    : OperatorPolicy<Id>

/**
 * The whole API: a missing, misspelled or extra operation does not compile, and neither does one without a
 * policy.
 */
export type OperationTable = { [Id in OperationId]: Policy<Id> }
