import type {
  Body,
  CitizenAppOperations,
  Header,
  OperationId,
  OperatorOperations,
  PartnerOperations,
  Path,
  Query,
  Success,
  SuccessStatus,
} from '@tiwala/contract'
import type { Logger } from 'pino'
import type { Shareable } from './authorizations/opening/store.ts'
import type { ConcurrencyCaps } from './concurrency-cap.ts'
import type { Config } from './config.ts'
import type { Changes } from './database/changes.ts'
import type { Database } from './database/connect.ts'
import type { ProvenPartner } from './partners/store.ts'
import type { KeyRing } from './secrets/key-ring.ts'
import type { ProvenToken } from './sso/prove-token.ts'

/** All that an operation needs. */
export type Service = { db: Database; config: Config; keys: KeyRing; log: Logger; changes: Changes; caps: ConcurrencyCaps }

/** Who calls, proved before the operation begins. */
export type CallerOf<Id extends OperationId> = Id extends 'authenticate'
  ? ProvenToken
  : Id extends 'profileByQr'
    ? ProvenPartner & { shareable: Shareable | undefined }
    : Id extends keyof PartnerOperations
      ? ProvenPartner
      : Id extends keyof CitizenAppOperations
        ? { uniqidMacs: string[]; tokenExpiresAtMs: number }
        : Id extends keyof OperatorOperations
          ? { subject: string }
          : never

/**
 * A request's permit to be in flight, and with it the deadline of the request. A request that only waits releases its slot, and reacquires
 * it when it goes on. `reacquire` is false if no slot became free in time, or if the client has gone away.
 */
export type Slot = { release(): void; reacquire(): Promise<boolean> }

/** A request that kept the contract. */
export type Call<Id extends OperationId> = {
  caller: CallerOf<Id>
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

/** The whole API: a missing, misspelt or extra operation does not compile. */
export type OperationTable = { [Id in OperationId]: Operation<Id> }
