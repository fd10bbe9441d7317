import type { SuccessOf } from '@tiwala/contract/derive'
import { type PartnerOperations, partnerRoutes, type PartnerSchemas } from '@tiwala/contract/partner'
import { type Answer, createTransport, type TransportOptions } from '@tiwala/transport'
import { type AcceptanceOutcome, waitForAcceptance, type WaitForAcceptanceOptions } from './wait-for-acceptance.ts'

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

export type InquireOptions = CallOptions & {
  /** For how long the service may hold a pending record back, until it changes: whole seconds, at most 25. Default: 0. */
  waitSeconds?: number
}

export type PartnerClient = {
  /** Ask for a citizen's profile with the QR value the citizen shows. The answer is a pending record. */
  requestAuthorization(qrValue: string, options?: CallOptions): Promise<AuthorizationAnswer<'requestAuthorization'>>
  /** Read a record. Once the citizen has accepted, `record.is_accepted` is `1` and `record.response` is the profile. */
  inquire(trackingNo: string, options?: InquireOptions): Promise<AuthorizationAnswer<'inquire'>>
  /** Inquire until the citizen has answered (or the record has ended otherwise), through lost connections and short outages. */
  waitForAcceptance(trackingNo: string, options?: WaitForAcceptanceOptions): Promise<AcceptanceOutcome>
  /** Get the profile at once with a QR value that the citizen made for sharing. */
  profileByQr(qrValue: string, options?: CallOptions): Promise<AuthorizationAnswer<'profileByQr'>>
  /** Withdraw a request that the citizen has not answered. */
  cancelAuthorization(trackingNo: string, options?: CallOptions): Promise<AuthorizationAnswer<'cancelAuthorization'>>
  /** Test your credentials: who you are here, your scopes, limits, and until when your secrets are good. Consumes nothing. */
  whoAmI(options?: CallOptions): Promise<PartnerSchemas['PartnerSelf']>
  /** Which check of a refused request of yours failed, by the `requestId` of its `TiwalaError`, single sign-on included; for 24 hours. */
  diagnose(requestId: string, options?: CallOptions): Promise<PartnerSchemas['Diagnosis']>
}

/** The partner profile API. Every method rejects with a `TiwalaError` when the service refuses. */
export function createPartnerClient({ secretCode, secretToken, ...options }: PartnerClientOptions): PartnerClient {
  const call = createTransport<PartnerOperations>(partnerRoutes, {
    ...options,
    headers: { 'X-Secret-Code': secretCode, 'X-Secret-Token': secretToken },
  })
  const inquire: PartnerClient['inquire'] = async (trackingNo, { signal, waitSeconds = 0 } = {}) => {
    const headers: Record<string, string> = waitSeconds > 0 ? { Prefer: `wait=${waitSeconds}` } : {}
    return toAnswer(await call('inquire', { query: { tracking_no: trackingNo }, headers, signal, waitMs: waitSeconds * 1000 }))
  }
  return {
    inquire,
    waitForAcceptance: (trackingNo, until) => waitForAcceptance(inquire, trackingNo, until),
    requestAuthorization: async (qrValue, { signal } = {}) =>
      toAnswer(await call('requestAuthorization', { body: { qr_value: qrValue }, asForm: true, signal })),
    profileByQr: async (qrValue, { signal } = {}) => toAnswer(await call('profileByQr', { query: { qr_value: qrValue }, signal })),
    cancelAuthorization: async (trackingNo, { signal } = {}) =>
      toAnswer(await call('cancelAuthorization', { path: { tracking_no: trackingNo }, signal })),
    whoAmI: async ({ signal } = {}) => (await call('readPartnerSelf', { signal })).body.data,
    diagnose: async (requestId, { signal } = {}) => (await call('readDiagnosis', { path: { request_id: requestId }, signal })).body.data,
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
