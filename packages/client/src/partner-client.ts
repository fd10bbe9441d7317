import type { SuccessOf } from '@tiwala/contract/derive'
import { type PartnerOperations, partnerRoutes, type PartnerSchemas } from '@tiwala/contract/partner'
import { type Answer, createTransport, type TransportOptions } from '@tiwala/transport'

export type PartnerClientOptions = Omit<TransportOptions, 'headers'> & {
  /** `X-Secret-Code`, issued by the administrator. */
  secretCode: string
  /** `X-Secret-Token`, issued by the administrator. Keep it on your server. */
  secretToken: string
}

type RecordOperationId = 'requestAuthorization' | 'inquire' | 'profileByQr' | 'cancelAuthorization'

type DataOf<Id extends RecordOperationId> = SuccessOf<PartnerOperations[Id]> extends { data: infer Data } ? Data : never

/** A record with what travels beside it. */
export type AuthorizationAnswer<Id extends RecordOperationId = RecordOperationId> = {
  /** The record, told apart by `is_accepted`: `null` pending (or viewed), `1` accepted, `0` ended without a profile. */
  record: DataOf<Id>
  state: PartnerSchemas['AuthorizationState']
  /** While pending: when the request expires unanswered. */
  expiresAt: Date | undefined
  /** While pending: seconds to wait before asking again. */
  retryAfterSeconds: number | undefined
  /** The time zone of `record.accepted_at`. */
  timeZone: string
  requestId: string
}

type CallOptions = { signal?: AbortSignal }

export type PartnerClient = {
  /** Ask for a citizen's profile with the QR value the citizen shows. The answer is a pending record. */
  requestAuthorization(qrValue: string, options?: CallOptions): Promise<AuthorizationAnswer<'requestAuthorization'>>
  /** Read a record. Once the citizen has accepted, `record.is_accepted` is `1` and `record.response` is the profile. */
  inquire(trackingNo: string, options?: CallOptions): Promise<AuthorizationAnswer<'inquire'>>
  /** Get the profile at once with a QR value that the citizen made for sharing. */
  profileByQr(qrValue: string, options?: CallOptions): Promise<AuthorizationAnswer<'profileByQr'>>
  /** Withdraw a request that the citizen has not answered. */
  cancelAuthorization(trackingNo: string, options?: CallOptions): Promise<AuthorizationAnswer<'cancelAuthorization'>>
}

/** The partner profile API. Every method rejects with a `TiwalaError` when the service refuses. */
export function createPartnerClient({ secretCode, secretToken, ...options }: PartnerClientOptions): PartnerClient {
  const call = createTransport<PartnerOperations>(partnerRoutes, {
    ...options,
    headers: { 'X-Secret-Code': secretCode, 'X-Secret-Token': secretToken },
  })
  return {
    requestAuthorization: async (qrValue, { signal } = {}) =>
      toAnswer(await call('requestAuthorization', { body: { qr_value: qrValue }, asForm: true, signal })),
    inquire: async (trackingNo, { signal } = {}) => toAnswer(await call('inquire', { query: { tracking_no: trackingNo }, signal })),
    profileByQr: async (qrValue, { signal } = {}) => toAnswer(await call('profileByQr', { query: { qr_value: qrValue }, signal })),
    cancelAuthorization: async (trackingNo, { signal } = {}) =>
      toAnswer(await call('cancelAuthorization', { path: { tracking_no: trackingNo }, signal })),
  }
}

function toAnswer<Id extends RecordOperationId>({ body, headers }: Answer<PartnerOperations[Id]>): AuthorizationAnswer<Id> {
  const expiresAt = headers.get('x-authorization-expires-at')
  const retryAfter = headers.get('retry-after')
  return {
    record: (body as { data: DataOf<Id> }).data,
    state: headers.get('x-authorization-state') as PartnerSchemas['AuthorizationState'],
    expiresAt: expiresAt === null ? undefined : new Date(expiresAt),
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
    timeZone: headers.get('x-time-zone')!,
    requestId: headers.get('x-request-id')!,
  }
}
