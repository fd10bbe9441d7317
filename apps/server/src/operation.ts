import type {
  Accepted,
  AcceptedStatus,
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
  WorkbenchOperations,
} from '@tiwala/contract'
import type { Logger } from 'pino'
import type { RequestContext } from './audit/insert-audit.sql.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { Notifications } from './database/notifications.ts'
import type { ConcurrencyCaps } from './limits/concurrency-caps.ts'
import type { PartnerCache } from './partners/partner-cache.ts'
import type { AuthenticatedPartner, CachedPartner } from './partners/partner.ts'
import type { KeyRing } from './secrets/key-ring.ts'

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

/**
 * How the citizen's identity provider authenticated the citizen. `acr`, `amr`: null if its token does not say.
 * `hasAuthTime`: false if its token does not say when, and `authenticatedAt` is the latest possible time.
 */
export type Assurance = {
  acr: string | null
  amr: string[] | null
  authenticatedAt: Date
  hasAuthTime: boolean
}
export type AuthenticatedCitizen = { uniqidHmacs: string[]; tokenExpiresAtMs: number; assurance: Assurance }
/** `session`: null for a token. `onlyPartner`: the partner of a visitor of the sandbox, who sees and changes no other. */
export type AuthenticatedOperator = {
  subject: string
  scopes: string[]
  expiresAt: Date
  session: { hmac: string; name: string | null } | null
  onlyPartner: string | null
}
/** A person of a partner. `sessionHmac`: null for a token. */
export type AuthenticatedMember = {
  memberId: string
  email: string
  role: Schemas['MemberRole']
  partnerId: number
  partnerCode: string
  partnerName: string
  sessionHmac: string | null
  expiresAt: Date
}

/** The caller of the operations of a document. */
type CallerOf<Id extends OperationId> = Id extends keyof PartnerOperations
  ? AuthenticatedPartner
  : Id extends keyof CitizenAppOperations
    ? AuthenticatedCitizen
    : Id extends keyof OperatorOperations
      ? AuthenticatedOperator
      : Id extends keyof WorkbenchOperations
        ? AuthenticatedMember
        : never

/**
 * A request's permit to be in flight, with the deadline of the request. A request that only waits releases
 * its slot, and reacquires one when it continues. `reacquire` returns false if no slot became free in time or
 * the client has gone away.
 */
export type Slot = { release(): void; reacquire(): Promise<boolean> }

/**
 * A request that is valid by the contract. `Loaded`: the rows that authentication has already read for the
 * operation, which saves a round trip. Reading them uses nothing up.
 */
export type Call<Id extends OperationId, Caller = CallerOf<Id>, Loaded = undefined> = RequestContext & {
  caller: Caller
  loaded: Loaded
  /** Authenticates the caller again, past every cache, and refuses one that lost its access. */
  reauthenticate: () => Promise<Caller>
  query: Query<Id>
  path: Path<Id>
  body: Body<Id>
  header: (name: keyof Header<Id> & string) => string | undefined
  /** The listener runs when the client has gone away or the response was sent. */
  onClose: (listener: () => void) => void
  slot: Slot
  /** Records that the request has passed a check of the operation. A diagnosis of a later refusal shows it. */
  passed: (check: Schemas['CheckName']) => void
}

/** Server-sent events: each text is written when it comes, until the client or the server ends the stream. */
export type StreamReply = { status: 200; stream: AsyncIterable<string> }

export type BodyReply<Id extends OperationId> = {
  status: SuccessStatus<Id> | AcceptedStatus<Id>
  body: Success<Id> | Accepted<Id>
  headers?: Record<string, string>
  /**
   * Runs after the body was validated and the client is known to be connected, before the first byte is
   * written. Single-use effects (use up a code, record a disclosure) belong here, so that an error of the
   * service does not burn the code. `db`: a transaction, if more is committed with it.
   */
  commit?: (db: Database) => Promise<void>
}

export type Reply<Id extends OperationId> = [Success<Id>] extends [never] ? StreamReply : BodyReply<Id>

/** An operation names its caller and loaded rows if they are not those of every operation of its document. */
export type Operation<Id extends OperationId, Caller = CallerOf<Id>, Loaded = undefined> = (
  service: Service,
  call: Call<Id, Caller, Loaded>,
) => Promise<Reply<Id>>

/** An operation of which only the caller's type and the loaded rows are not known. */
type Run<Id extends OperationId> = { run: Operation<Id, never, never> }

/**
 * Reads what the operation needs, at the same time as the partner is authenticated. It must not use anything
 * up.
 */
export type Preload<Loaded> = (
  service: Service,
  secretCode: string,
  query: Record<string, unknown>,
) => Promise<Loaded>

/** Everything that is decided about an operation of the partner API and is not in its contract. */
export type PartnerPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  /**
   * How a partner authenticates: by two headers, by fields of the body, or by an access token that it
   * obtained.
   */
  authentication: 'secret_headers' | 'secret_in_body' | 'access_token'
  /** The scope that the partner needs. Null: every active partner may send the request. */
  scope: Schemas['Scope'] | null
  /** The field `scope` of the body must name the same scope. */
  isScopeInBody: boolean
  /** Which of the partner's limits per minute applies. Null: none. */
  rateLimit: Exclude<keyof Schemas['PartnerLimits'], 'per_day'> | null
  /** Successful requests count against the partner's daily quota. */
  isCountedDaily: boolean
  preload: Preload<unknown> | null
}

/**
 * The scopes of operators are in the document. `isLongRunning`: no deadline, no slot, and separate database
 * connections. `readsReplica`: it only reads, and may be some time behind.
 */
export type OperatorPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  authentication: 'operator_token'
  isLongRunning: boolean
  readsReplica: boolean
}
/** `role`: the least that the member needs. */
export type MemberPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  authentication: 'member'
  role: Schemas['MemberRole']
}
export type CitizenPolicy<Id extends OperationId = OperationId> = Run<Id> & {
  authentication: 'citizen_token'
}

export type Policy<Id extends OperationId = OperationId> = Id extends keyof PartnerOperations
  ? PartnerPolicy<Id>
  : Id extends keyof CitizenAppOperations
    ? CitizenPolicy<Id>
    : Id extends keyof WorkbenchOperations
      ? MemberPolicy<Id>
      : OperatorPolicy<Id>

/**
 * The whole API: a missing, misspelled or extra operation does not compile, and neither does one without a
 * policy.
 */
export type OperationTable = { [Id in OperationId]: Policy<Id> }
