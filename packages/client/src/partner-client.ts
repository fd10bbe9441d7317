import { type PartnerOperations, partnerRoutes, type PartnerSchemas } from '@tiwala/contract/partner'
import { createTransport, type OperationResponse, type TransportOptions } from '@tiwala/transport'
import type {
  AuthorizationAnswer,
  CallOptions,
  DataOf,
  Inquire,
  RecordOperationId,
} from './authorization-answer.ts'
import {
  type AcceptanceOutcome,
  waitForAcceptance,
  type WaitForAcceptanceOptions,
} from './wait-for-acceptance.ts'

export type PartnerClientOptions = Omit<TransportOptions, 'headers'> & {
  /** Your secret code, from the administrator. The client sends it as `X-Secret-Code`. */
  secretCode: string
  /**
   * Your secret token, from the administrator. The client sends it as `X-Secret-Token`. Keep it on your
   * server.
   */
  secretToken: string
}

export type PartnerClient = {
  /**
   * Requests a citizen's profile, with the QR value that the citizen shows. Resolves with a pending record.
   * Rejects with the code `qr_value_invalid` if the QR value is unknown, used, expired or made for another
   * purpose.
   */
  requestAuthorization(
    qrValue: string,
    options?: CallOptions,
  ): Promise<AuthorizationAnswer<'requestAuthorization'>>
  /**
   * Reads a record. After the citizen has accepted, `record.is_accepted` is `1` and `record.response` is the
   * profile. Rejects with the code `slow_down` if you inquire too early, `tracking_no_not_found` if you have
   * no such record, or `result_expired` if the profile can no longer be read.
   */
  inquire: Inquire
  /**
   * Inquires again and again until the record has ended, for example because the citizen accepted or
   * declined. It continues after a lost connection or a short outage. Rejects if it is aborted, if a refusal
   * is final, or after 5 failures in a row.
   */
  waitForAcceptance(trackingNo: string, options?: WaitForAcceptanceOptions): Promise<AcceptanceOutcome>
  /**
   * Gets the profile immediately, with a QR value that the citizen made for sharing. Rejects with the code
   * `qr_value_invalid` if the QR value is unknown, used, expired or made for another purpose.
   */
  profileByQr(qrValue: string, options?: CallOptions): Promise<AuthorizationAnswer<'profileByQr'>>
  /**
   * Withdraws a request before the citizen decides. You can repeat it safely. Rejects with the code
   * `authorization_not_pending` if the record ended in another way, or `tracking_no_not_found` if you have no
   * such record.
   */
  cancelAuthorization(
    trackingNo: string,
    options?: CallOptions,
  ): Promise<AuthorizationAnswer<'cancelAuthorization'>>
  /**
   * Tests your credentials. Resolves with your name, scopes and limits, and with the expiry dates of your
   * secrets. It consumes nothing. Rejects with the code `credentials_missing` or `credentials_invalid` if the
   * credentials are wrong.
   */
  whoAmI(options?: CallOptions): Promise<PartnerSchemas['PartnerSelf']>
  /**
   * Says which check of your refused request failed. Pass the `requestId` of the `TiwalaError`, also for a
   * refusal of the single sign-on API. Works for 24 hours after the refusal; afterwards it rejects with the
   * code `not_found`.
   */
  diagnose(requestId: string, options?: CallOptions): Promise<PartnerSchemas['Diagnosis']>
}

/**
 * Creates a client of the partner profile API. Each method rejects with a `TiwalaError` if the service
 * refuses the request, with a `TypeError` if the connection fails, and with a `TimeoutError` if the request
 * takes too long.
 */
export function createPartnerClient({
  secretCode,
  secretToken,
  ...options
}: PartnerClientOptions): PartnerClient {
  const call = createTransport<PartnerOperations>(partnerRoutes, {
    ...options,
    headers: { 'X-Secret-Code': secretCode, 'X-Secret-Token': secretToken },
  })
  const inquire: Inquire = async (trackingNo, { signal, waitSeconds = 0 } = {}) => {
    const headers: Record<string, string> = waitSeconds > 0 ? { Prefer: `wait=${waitSeconds}` } : {}
    return toAnswer(
      await call('inquire', {
        query: { tracking_no: trackingNo },
        headers,
        signal,
        waitMs: waitSeconds * 1000,
      }),
    )
  }
  return {
    inquire,
    waitForAcceptance: (trackingNo, waitOptions) => waitForAcceptance(inquire, trackingNo, waitOptions),
    requestAuthorization: async (qrValue, { signal } = {}) =>
      toAnswer(await call('requestAuthorization', { body: { qr_value: qrValue }, asForm: true, signal })),
    profileByQr: async (qrValue, { signal } = {}) =>
      toAnswer(await call('profileByQr', { query: { qr_value: qrValue }, signal })),
    cancelAuthorization: async (trackingNo, { signal } = {}) =>
      toAnswer(await call('cancelAuthorization', { path: { tracking_no: trackingNo }, signal })),
    whoAmI: async ({ signal } = {}) => (await call('readPartnerSelf', { signal })).body.data,
    diagnose: async (requestId, { signal } = {}) =>
      (await call('readDiagnosis', { path: { request_id: requestId }, signal })).body.data,
  }
}

function toAnswer<Id extends RecordOperationId>({
  body,
  headers,
}: OperationResponse<PartnerOperations[Id]>): AuthorizationAnswer<Id> {
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
