import type {
  Body,
  CitizenAppOperations,
  OperationId,
  OperatorOperations,
  PartnerOperations,
  Path,
  Query,
  Success,
  SuccessStatus,
} from '@tiwala/contract'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './database/connect.ts'
import type { PartnerRow } from './partners/store.ts'
import type { KeyRing } from './secrets/key-ring.ts'

/** All that an operation needs of the world. */
export type Service = { db: Database; config: Config; keys: KeyRing; log: Logger }

/** Who calls, proved before the operation begins. */
export type CallerOf<Id extends OperationId> = Id extends 'authenticate'
  ? { jti: string; partnerId: number }
  : Id extends keyof PartnerOperations
    ? PartnerRow
    : Id extends keyof CitizenAppOperations
      ? { uniqid: string }
      : Id extends keyof OperatorOperations
        ? { subject: string }
        : never

/** A request that kept the contract. */
export type Call<Id extends OperationId> = {
  caller: CallerOf<Id>
  query: Query<Id>
  path: Path<Id>
  body: Body<Id>
  requestId: string
}

export type Reply<Id extends OperationId> = {
  status: SuccessStatus<Id>
  body: Success<Id>
  headers?: Record<string, string>
  /**
   * Runs once the body is known to keep the contract and the client is known to be there, before a byte is written:
   * what can be done only once (use up a code, record a disclosure) is done here, so that no fault of ours burns it.
   */
  commit?: () => Promise<void>
}

export type Operation<Id extends OperationId> = (service: Service, call: Call<Id>) => Promise<Reply<Id>>

/** The whole API: a missing, misspelt or extra operation does not compile. */
export type OperationTable = { [Id in OperationId]: Operation<Id> }
