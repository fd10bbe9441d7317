import type { SuccessOf } from '@tiwala/contract/derive'
import type { PartnerOperations, PartnerSchemas } from '@tiwala/contract/partner'
import type { Call, RepeatableCallOptions } from './client-options.ts'

export type RecordOperationId = 'requestAuthorization' | 'inquire' | 'profileByQr' | 'cancelAuthorization'

type DataOf<Id extends RecordOperationId> =
  SuccessOf<PartnerOperations[Id]> extends { data: infer Data } ? Data : never

type AuthorizationState = PartnerSchemas['AuthorizationState']
type RecordOf<State extends AuthorizationState> = State extends 'PENDING'
  ? PartnerSchemas['PendingAuthorization']
  : State extends 'ACCEPTED'
    ? PartnerSchemas['AcceptedAuthorization']
    : State extends 'VIEWED'
      ? PartnerSchemas['ViewedAuthorization']
      : PartnerSchemas['EndedAuthorization']

/**
 * An authorization record, with the values of the response headers. The field `state` discriminates the union: in
 * `ACCEPTED` and `VIEWED`, `record.response` is a profile.
 */
export type AuthorizationAnswer<Id extends RecordOperationId = RecordOperationId> = {
  [State in AuthorizationState]: RecordOf<State> extends DataOf<Id> ? AnswerIn<State> : never
}[AuthorizationState]

export type AnswerIn<State extends AuthorizationState> = {
  /**
   * The record. `is_accepted` is `null` while it is pending (or viewed), `1` if accepted, `0` if it ended
   * without a profile.
   */
  record: RecordOf<State>
  /** The exact state of the record, from `X-Authorization-State`. */
  state: State
  /** When the request expires without a decision. `undefined` if the record is not pending. */
  expiresAt: Date | undefined
  /** How long to wait before you inquire again, in seconds. `undefined` if the record is not pending. */
  retryAfterSeconds: number | undefined
  /** The time zone of `record.accepted_at`. */
  timeZone: string
  /** The ID of this request. Quote it to the administrator if you have a question about the response. */
  requestId: string
}

export type InquireOptions = RepeatableCallOptions & {
  /**
   * How long the service may wait for a change of a pending record, in whole seconds, at most 25. Default: 0.
   * The service responds as soon as the record changes.
   */
  waitSeconds?: number
}

/** Reads a record: `PartnerClient.inquire`. */
export type Inquire = (trackingNo: string, options?: InquireOptions) => Call<AuthorizationAnswer<'inquire'>>
