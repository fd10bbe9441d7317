import { type ErrorCode, errorBody, type PartnerSchemas } from '@tiwala/contract/partner'
import { hasShape } from './response-shape.ts'
import { retryAfterSecondsOf } from './retry-after.ts'

/**
 * A text that this version of the client does not know, from a newer version of the service. Its value is the text
 * itself, without the words of this type. They only keep it apart from each documented text, so that a misspelled code
 * does not compile, and a `default` still has something to read. A brand would not: TypeScript compares a branded
 * string with every literal.
 */
export type Unknown = `unknown to this version: ${string}`

const TEMPORARY = new Set<TiwalaError['code']>(['rate_limited', 'slow_down', 'unavailable', 'internal_error'])

/**
 * The service refused the request, or the response is not from the service. Decide by `code`. Do not show
 * `message` to a citizen. To find the reason, quote `requestId` to the administrator, or pass it to
 * `diagnose` of the partner client, which says which check failed.
 */
export class TiwalaError extends Error {
  override readonly name = 'TiwalaError'
  /** The HTTP status of the response. */
  readonly status: number
  /**
   * The documented error code. `unexpected_answer` means that the response is not from the service. The service may
   * send a code that this version does not know: give a `switch` a `default`.
   */
  readonly code: ErrorCode | 'unexpected_answer' | Unknown
  /** The reasons for each invalid field, by the name of the field. Empty if no field is invalid. */
  readonly fields: Readonly<Record<string, string[]>>
  /** The ID of the refused request. `undefined` if the response is not from the service. */
  readonly requestId: string | undefined
  /**
   * How long to wait before you repeat the request, in seconds. `undefined` if the response does not say so.
   */
  readonly retryAfterSeconds: number | undefined
  /** Whether you can repeat the same call: it is safe, and it may succeed later. */
  readonly isRetryable: boolean
  /** The page that explains the code. `undefined` if the response has no such link. */
  readonly helpUrl: string | undefined
  /** The operationId of the refused request, for example `inquire`. */
  readonly operation: string | undefined

  /** `isRepeatable`: the request is safe to repeat even if the service has processed it. */
  constructor(response: Response, body: unknown, isRepeatable: boolean, operation?: string) {
    const error = isErrorBody(body) ? body : undefined
    super(
      error
        ? `${error.message} (${error.error}, ${error.request_id})`
        : `The response is not from the service (HTTP ${response.status}). ${adviceFor(response)}`,
    )
    this.status = response.status
    this.code = error?.error ?? 'unexpected_answer'
    this.fields = error?.errors ?? {}
    this.requestId = error?.request_id
    this.retryAfterSeconds = retryAfterSecondsOf(response.headers)
    const isBusy = response.status >= 500 || (!error && response.status === 429)
    this.isRetryable = (isRepeatable && isBusy) || TEMPORARY.has(this.code)
    this.operation = operation
    this.helpUrl = /<([^>]+)>; rel="help"/.exec(response.headers.get('link') ?? '')?.[1]
  }
}

const isErrorBody = (body: unknown): body is PartnerSchemas['Error'] => hasShape(body, errorBody)

const adviceFor = ({ status }: Response): string =>
  status >= 300 && status < 400
    ? 'A redirect is not followed, so that no other server gets your secrets. Check the address.'
    : 'Check the address and the proxy.'
