import type { ErrorCode, PartnerSchemas } from '@tiwala/contract/partner'

/**
 * The service refused the request, or the response is not from the service. Decide by `code`. Do not show
 * `message` to a citizen. To find the reason, quote `requestId` to the administrator, or pass it to
 * `diagnose` of the partner client, which says which check failed.
 */
export class TiwalaError extends Error {
  override readonly name = 'TiwalaError'
  /** The HTTP status of the response. */
  readonly status: number
  /** The documented error code. `unexpected_answer` means that the response is not from the service. */
  readonly code: ErrorCode | 'unexpected_answer'
  /** The reasons for each invalid field, by the name of the field. Empty if no field is invalid. */
  readonly fields: Readonly<Record<string, string[]>>
  /** The ID of the refused request. `undefined` if the response is not from the service. */
  readonly requestId: string | undefined
  /**
   * How long to wait before you repeat the request, in seconds. `undefined` if the response does not say so.
   */
  readonly retryAfterSeconds: number | undefined
  /** The page that explains the code. `undefined` if the response has no such link. */
  readonly helpUrl: string | undefined

  private constructor(response: Response, body: PartnerSchemas['Error'] | undefined) {
    super(
      body
        ? `${body.message} (${body.error}, ${body.request_id})`
        : `The response is not from the service (HTTP ${response.status}). Check the address and the proxy.`,
    )
    this.status = response.status
    this.code = body?.error ?? 'unexpected_answer'
    this.fields = body?.errors ?? {}
    this.requestId = body?.request_id
    // The service sends whole seconds. A proxy may send a date instead (RFC 9110, section 10.2.3).
    const retryAfter = /^\d+$/.exec(response.headers.get('retry-after') ?? '')?.[0]
    this.retryAfterSeconds = retryAfter === undefined ? undefined : Number(retryAfter)
    this.helpUrl = /<([^>]+)>; rel="help"/.exec(response.headers.get('link') ?? '')?.[1]
  }

  static from(response: Response, body: unknown): TiwalaError {
    return new TiwalaError(response, isErrorBody(body) ? body : undefined)
  }
}

const isErrorBody = (body: unknown): body is PartnerSchemas['Error'] =>
  typeof body === 'object' && body !== null && 'error' in body && 'request_id' in body
