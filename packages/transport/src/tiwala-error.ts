import type { ErrorCode, PartnerSchemas } from '@tiwala/contract/partner'

/**
 * A refusal of the service. Decide by `code`; show `message` to no citizen; quote `requestId` to the administrator, or give it to
 * `diagnose` of the partner client, which tells which check failed.
 */
export class TiwalaError extends Error {
  override readonly name = 'TiwalaError'
  /** The HTTP status. */
  readonly status: number
  /** The documented code; `unexpected_answer` where something between us answered. */
  readonly code: ErrorCode | 'unexpected_answer'
  /** Per field at fault, what is wrong with it. */
  readonly fields: Readonly<Record<string, string[]>>
  readonly requestId: string | undefined
  /** Seconds to wait before asking again, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  private constructor(response: Response, body: PartnerSchemas['Error'] | undefined) {
    super(body ? `${body.message} (${body.error}, ${body.request_id})` : `The answer is not the service's: HTTP ${response.status}`)
    this.status = response.status
    this.code = body?.error ?? 'unexpected_answer'
    this.fields = body?.errors ?? {}
    this.requestId = body?.request_id
    // Ours are whole seconds; what stands between us may also write a date (RFC 9110, section 10.2.3).
    const retryAfter = /^\d+$/.exec(response.headers.get('retry-after') ?? '')?.[0]
    this.retryAfterSeconds = retryAfter === undefined ? undefined : Number(retryAfter)
  }

  static from(response: Response, body: unknown): TiwalaError {
    return new TiwalaError(response, isErrorBody(body) ? body : undefined)
  }
}

const isErrorBody = (body: unknown): body is PartnerSchemas['Error'] =>
  typeof body === 'object' && body !== null && 'error' in body && 'request_id' in body
