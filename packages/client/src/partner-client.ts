import type { PartnerSchemas } from '@tiwala/contract/partner'
import { assertNumber, retryAfterSecondsOf } from '@tiwala/transport'
import type { AuthorizationAnswer, Inquire, RecordOperationId } from './authorization-answer.ts'
import { assertHttpUrl, assertSecret, assertSecretCode, assertText } from './check-arguments.ts'
import type { Call, ClientOptions, RepeatableCallOptions, WithRequestId } from './client-options.ts'
import { fromEnvironment } from './environment.ts'
import {
  call,
  createPartnerApi,
  DEFAULT_MAX_RETRIES,
  initOf,
  type Success,
  toFormData,
  withRequestId,
} from './partner-api.ts'
import {
  type AcceptanceOutcome,
  waitForAcceptance,
  type WaitForAcceptanceOptions,
} from './wait-for-acceptance.ts'

export type PartnerClientOptions = ClientOptions & {
  /**
   * The address of the partner profile API (`base_url`). Slashes at its end make no difference. Default: the
   * environment variable `TIWALA_BASE_URL`.
   */
  baseUrl?: string | undefined
  /**
   * Your secret code, from the administrator. The client sends it as `X-Secret-Code`. Default: the environment variable
   * `TIWALA_SECRET_CODE`.
   */
  secretCode?: string | undefined
  /**
   * Your secret token, from the administrator. The client sends it as `X-Secret-Token`. Keep it on your
   * server. Default: the environment variable `TIWALA_SECRET_TOKEN`.
   */
  secretToken?: string | undefined
}

export type ListRecordsOptions = RepeatableCallOptions & {
  /** Only records in this state. */
  state?: PartnerSchemas['AuthorizationState']
  /** The maximum number of records on the page, 1 to 100. Default: 20. */
  limit?: number
  /** The `next_cursor` of the previous page. Without it, you get the first page. */
  cursor?: string
}

export type PartnerClient = {
  /**
   * Requests a citizen's profile, with the QR value that the citizen shows. Resolves with a pending record.
   * Rejects with the code `qr_value_invalid` if the QR value is unknown, used, expired or made for another
   * purpose.
   * @operation requestAuthorization
   * @example await tiwala.requestAuthorization('TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A')
   */
  requestAuthorization(
    qrValue: string,
    options?: RepeatableCallOptions,
  ): Call<AuthorizationAnswer<'requestAuthorization'>>
  /**
   * Reads a record. After the citizen has accepted, `record.is_accepted` is `1` and `record.response` is the
   * profile. Rejects with the code `slow_down` if you inquire too early, `tracking_no_not_found` if you have
   * no such record, or `result_expired` if the profile can no longer be read.
   * @operation inquire
   * @example await tiwala.inquire('7M3K9QXV4T0HB2ZJ6WFE8RC5ND', { waitSeconds: 25 })
   */
  inquire: Inquire
  /**
   * Inquires again and again until the record has ended, for example because the citizen accepted or
   * declined. It continues after a lost connection, and as long as the service is `unavailable`: pass a `deadline`
   * or a `signal`. Rejects if it is aborted, if a refusal is final, or after 5 failures in a row.
   */
  waitForAcceptance(trackingNo: string, options?: WaitForAcceptanceOptions): Promise<AcceptanceOutcome>
  /**
   * Gets the profile immediately, with a QR value that the citizen made for sharing. Rejects with the code
   * `qr_value_invalid` if the QR value is unknown, used, expired or made for another purpose.
   * @operation profileByQr
   * @example await tiwala.profileByQr('TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A')
   */
  profileByQr(qrValue: string, options?: RepeatableCallOptions): Call<AuthorizationAnswer<'profileByQr'>>
  /**
   * Withdraws a request before the citizen decides. You can repeat it safely. Rejects with the code
   * `authorization_not_pending` if the record ended in another way, or `tracking_no_not_found` if you have no
   * such record.
   * @operation cancelAuthorization
   * @example await tiwala.cancelAuthorization('7M3K9QXV4T0HB2ZJ6WFE8RC5ND')
   */
  cancelAuthorization(
    trackingNo: string,
    options?: RepeatableCallOptions,
  ): Call<AuthorizationAnswer<'cancelAuthorization'>>
  /**
   * Lists your records, newest first: tracking numbers, states and times, without profiles. Resolves with one
   * page. Pass its `next_cursor` as `cursor` to get the next one, until it is `null`. Rejects with the code
   * `validation_failed` if the cursor is not a `next_cursor`, or the limit is out of range.
   * @operation listRecords
   * @example await tiwala.listRecords({ state: 'PENDING' })
   */
  listRecords(options?: ListRecordsOptions): Call<WithRequestId<PartnerSchemas['RecordPage']>>
  /**
   * Tests your credentials. Resolves with your name, scopes and limits, and with the expiry dates of your
   * secrets. It consumes nothing. Rejects with the code `credentials_missing` or `credentials_invalid` if the
   * credentials are wrong.
   * @operation readPartnerSelf
   * @example await tiwala.whoAmI()
   */
  whoAmI(options?: RepeatableCallOptions): Call<WithRequestId<PartnerSchemas['PartnerSelf']>>
  /**
   * Says which check of your refused request failed. Pass the `requestId` of the `TiwalaError`, also for a
   * refusal of the single sign-on API. Works for 24 hours after the refusal; afterwards it rejects with the
   * code `not_found`.
   * @operation readDiagnosis
   * @example await tiwala.diagnose('req_5Hb2pYJ7Qn0sVtXw8RkZc1')
   */
  diagnose(
    requestId: string,
    options?: RepeatableCallOptions,
  ): Call<WithRequestId<PartnerSchemas['Diagnosis']>>
}

/** A longer wait for a change of a pending record would be a mistake. */
const MAX_PENDING_SECONDS = 300

/**
 * Creates a client of the partner profile API. Throws a `TypeError` if an option is missing or a secret is
 * not complete. Each method rejects with a `TiwalaError` if the service refuses the request, with a
 * `TiwalaConnectionError` if there is no response, and with a `TypeError` if an argument is missing.
 */
export function createPartnerClient({
  baseUrl = fromEnvironment('TIWALA_BASE_URL', 'baseUrl'),
  secretCode = fromEnvironment('TIWALA_SECRET_CODE', 'secretCode'),
  secretToken = fromEnvironment('TIWALA_SECRET_TOKEN', 'secretToken'),
  maxRetries = DEFAULT_MAX_RETRIES,
  ...options
}: PartnerClientOptions = {}): PartnerClient {
  assertHttpUrl('baseUrl', baseUrl)
  assertSecretCode('secretCode', secretCode)
  assertSecret('secretToken', secretToken, 'twt')
  const headers = { 'X-Secret-Code': secretCode, 'X-Secret-Token': secretToken }
  const api = createPartnerApi({ ...options, baseUrl, headers, maxRetries })

  const inquire: Inquire = (trackingNo, { waitSeconds = 0, ...callOptions } = {}) =>
    call(
      async () => {
        assertText('trackingNo', trackingNo)
        assertNumber('waitSeconds', waitSeconds, 0, MAX_PENDING_SECONDS)
        const wholeSeconds = Math.floor(waitSeconds)
        const header = wholeSeconds > 0 ? { Prefer: `wait=${wholeSeconds}` } : {}
        const params = { query: { tracking_no: trackingNo }, header }
        return api.GET('/api/pub/inquire', { params, ...initOf(callOptions) })
      },
      toAnswer<'inquire'>,
    )
  /** waitForAcceptance repeats inquiries itself. */
  const inquireOnce: Inquire = (trackingNo, callOptions) =>
    inquire(trackingNo, { ...callOptions, maxRetries: 0 })

  return {
    inquire,
    waitForAcceptance: async (trackingNo, waitOptions) =>
      waitForAcceptance(inquireOnce, trackingNo, waitOptions),
    requestAuthorization: (qrValue, callOptions) =>
      call(
        async () => {
          assertText('qrValue', qrValue)
          return api.POST('/api/pub/request_authorization', {
            body: { qr_value: qrValue },
            bodySerializer: toFormData,
            ...initOf(callOptions),
          })
        },
        toAnswer<'requestAuthorization'>,
      ),
    profileByQr: (qrValue, callOptions) =>
      call(
        async () => {
          assertText('qrValue', qrValue)
          const params = { query: { qr_value: qrValue } }
          return api.GET('/api/pub/profile_by_qr', { params, ...initOf(callOptions) })
        },
        toAnswer<'profileByQr'>,
      ),
    cancelAuthorization: (trackingNo, callOptions) =>
      call(
        async () => {
          assertText('trackingNo', trackingNo)
          const params = { path: { tracking_no: trackingNo } }
          return api.DELETE('/api/pub/authorizations/{tracking_no}', { params, ...initOf(callOptions) })
        },
        toAnswer<'cancelAuthorization'>,
      ),
    listRecords: ({ signal, timeoutMs, maxRetries: retries, ...query } = {}) =>
      call(async () => {
        const init = initOf({ signal, timeoutMs, maxRetries: retries })
        return api.GET('/api/pub/authorizations', { params: { query }, ...init })
      }, withRequestId),
    whoAmI: (callOptions) =>
      call(async () => api.GET('/api/pub/partner', initOf(callOptions)), withRequestId),
    diagnose: (requestId, callOptions) =>
      call(async () => {
        assertText('requestId', requestId)
        const params = { path: { request_id: requestId } }
        return api.GET('/api/pub/diagnostics/{request_id}', { params, ...initOf(callOptions) })
      }, withRequestId),
  }
}

/** The state and the record of a response match, and the operation has only some of them: the contract says so. */
function toAnswer<Id extends RecordOperationId>({
  data,
  response: { headers },
}: Success<{ data: object }>): AuthorizationAnswer<Id> {
  const expiresAt = headers.get('x-authorization-expires-at')
  return {
    record: data!.data,
    state: headers.get('x-authorization-state'),
    expiresAt: expiresAt === null ? undefined : new Date(expiresAt),
    retryAfterSeconds: retryAfterSecondsOf(headers),
    timeZone: headers.get('x-time-zone')!,
    requestId: headers.get('x-request-id')!,
  } as AuthorizationAnswer<Id>
}
