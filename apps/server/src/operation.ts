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
import type { Shareable } from './authorizations/requests/store.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Notifications } from './database/notifications.ts'
import type { ConcurrencyCaps } from './limits/concurrency-caps.ts'
import type { PartnerCache } from './partners/partner-cache.ts'
import type { AuthenticatedPartner, CachedPartner } from './partners/partner.ts'
import type { KeyRing } from './secrets/key-ring.ts'
import type { AuthenticatedToken, TokenCitizen } from './sso/store.ts'

/** All that an operation needs. */
export type Service = {
  db: Database
  config: Config
  keys: KeyRing
  log: Logger
  notifications: Notifications
  caps: ConcurrencyCaps
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

/** What authentication has already read from the database for the operation, which saves a round trip. Nothing is used up by it. */
export type LoadedOf<Id extends OperationId> = Id extends 'authenticate'
  ? TokenCitizen
  : Id extends 'profileByQr'
    ? Shareable | undefined
    : undefined

/**
 * A request's permit to be in flight, and with it the deadline of the request. A request that only waits releases its slot, and reacquires
 * it when it goes on. `reacquire` is false if no slot became free in time, or if the client has gone away.
 */
export type Slot = { release(): void; reacquire(): Promise<boolean> }

/** A request that kept the contract. */
export type Call<Id extends OperationId> = {
  caller: CallerOf<Id>
  loaded: LoadedOf<Id>
  /** Authenticates the caller again, past every cache, and refuses one that lost its access. */
  reauthenticate: () => Promise<CallerOf<Id>>
  query: Query<Id>
  path: Path<Id>
  body: Body<Id>
  header: (name: keyof Header<Id> & string) => string | undefined
  requestId: string
  /** Called when the client has gone away, or the answer was sent. */
  onClose: (listener: () => void) => void
  slot: Slot
}

/** Server-sent events: text to be written as it comes, until the client or the server ends it. */
export type StreamReply = { status: 200; stream: AsyncIterable<string> }

export type BodyReply<Id extends OperationId> = {
  status: SuccessStatus<Id>
  body: Success<Id>
  headers?: Record<string, string>
  /**
   * Runs once the body is known to keep the contract and the client is known to be there, before a byte is written:
   * what can be done only once (use up a code, record a disclosure) is done here, so that no fault of ours burns it.
   */
  commit?: () => Promise<void>
}

export type Reply<Id extends OperationId> = [Success<Id>] extends [never] ? StreamReply : BodyReply<Id>

export type Operation<Id extends OperationId> = (service: Service, call: Call<Id>) => Promise<Reply<Id>>

type Run<Id extends OperationId> = { run: Operation<Id> }

/** How a partner proves its identity: with two headers, with fields of the body, or with an access token that it obtained. */
export type PartnerAuthentication = 'secret_headers' | 'secret_in_body' | 'access_token'

/** Everything that is decided about an operation of the partner API, besides its contract. */
export type PartnerPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  authentication: PartnerAuthentication
  /** The scope that the partner must have been granted. Null: every active partner may call it. */
  scope: Schemas['Scope'] | null
  /** The field `scope` of the body must name the same scope. */
  isScopeInBody: boolean
  /** Which of the partner's own limits a minute applies. Null: none. */
  rateLimit: Exclude<keyof Schemas['PartnerLimits'], 'per_day'> | null
  /** Successful requests count against the partner's daily quota. */
  isCountedDaily: boolean
  isLongRunning: false
  /** Reads what the operation needs, at the same time as the partner is authenticated. It must not use anything up. */
  preload: ((service: Service, secretCode: string, query: Record<string, unknown>) => Promise<LoadedOf<Id>>) | null
  /** The checks in the order in which they run, as a diagnosis lists them. */
  checks: readonly Schemas['CheckName'][]
}

/** The document names the scopes of administrators. `isLongRunning`: no deadline, no slot, and database connections of its own. */
export type OperatorPolicy<Id extends OperationId = OperationId> = Run<Id> & { authentication: 'operator_token'; isLongRunning: boolean }
export type CitizenPolicy<Id extends OperationId = OperationId> = Run<Id> & { authentication: 'citizen_token'; isLongRunning: false }

export type Policy<Id extends OperationId = OperationId> = Id extends keyof PartnerOperations
  ? PartnerPolicy<Id>
  : Id extends keyof CitizenAppOperations
    ? CitizenPolicy<Id>
    : OperatorPolicy<Id>

/** The whole API: a missing, misspelled or extra operation does not compile, and neither does one without a policy. */
export type OperationTable = { [Id in OperationId]: Policy<Id> }
