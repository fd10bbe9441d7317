import type { ErrorCode, Schemas } from '@tiwala/contract'

/** Status and message of every error code. The codes are the enum of the OpenAPI documents. */
const REFUSALS = {
  malformed_request: [400, 'The request cannot be read'],
  credentials_missing: [401, 'X-Secret-Code and X-Secret-Token are required'],
  credentials_invalid: [401, 'X-Secret-Code (twc_...) or X-Secret-Token (twt_...) is not valid'],
  token_missing: [401, 'The header Authorization: Bearer <token> is required'],
  token_invalid: [401, 'The token is not valid'],
  token_expired: [401, 'The token has expired'],
  token_used: [401, 'The access token was already used'],
  partner_invalid: [403, 'partner_code or partner_secret (tws_...) is not valid'],
  partner_suspended: [403, 'This partner is suspended'],
  scope_not_granted: [403, 'The scope for this is not granted'],
  ip_not_allowed: [403, 'This partner may not send requests from this address'],
  browser_use_forbidden: [
    403,
    'Partner secrets must not be used in a browser. Send the request from your server.',
  ],
  tracking_no_not_found: [404, 'No record has this tracking_no'],
  not_found: [404, 'Not found. Paths are case-sensitive and have no trailing slash.'],
  method_not_allowed: [405, 'This path does not support this method. See the Allow header.'],
  not_acceptable: [406, 'Every response is application/json'],
  authorization_not_pending: [409, 'The state of the authorization does not allow this'],
  refused_by_preferences: [409, 'Your preferences forbid this'],
  result_expired: [410, 'The profile of this record is no longer available'],
  payload_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The Content-Type is not supported by this operation'],
  validation_failed: [422, 'A field is missing or wrong. See errors.'],
  qr_value_invalid: [422, 'Invalid qr_value'],
  scope_invalid: [422, 'Invalid scope'],
  exchange_code_invalid: [422, 'Invalid exchange_code'],
  slow_down: [429, 'You inquired about this record too recently. Wait for Retry-After.'],
  rate_limited: [429, 'Too many requests'],
  quota_exceeded: [429, 'The daily quota is reached'],
  internal_error: [500, 'The service failed. Send the request again.'],
  unavailable: [503, 'The service is not available now'],
} as const satisfies Record<ErrorCode, readonly [status: number, message: string]>

type Detail = {
  message?: string
  /** For each wrong field, what is wrong with it. */
  errors?: Record<string, string[]>
  headers?: Record<string, string>
  retryAfterSeconds?: number
  cause?: unknown
  /** The check that refused, if the code alone does not say. */
  check?: Schemas['CheckName']
}

/**
 * An error with a documented code. Any code may throw it; `http/send-failure.ts` turns it into an HTTP
 * response.
 */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: Record<string, string[]> | undefined
  readonly headers: Record<string, string>
  readonly check: Schemas['CheckName'] | undefined

  constructor(code: ErrorCode, detail: Detail = {}) {
    const [status, message] = REFUSALS[code]
    super(detail.message ?? message, { cause: detail.cause })
    this.code = code
    this.status = status
    this.errors = detail.errors
    this.check = detail.check
    this.headers = {
      ...(code.startsWith('token_') && {
        'WWW-Authenticate': code === 'token_missing' ? 'Bearer' : 'Bearer error="invalid_token"',
      }),
      ...detail.headers,
      ...(detail.retryAfterSeconds !== undefined && { 'Retry-After': String(detail.retryAfterSeconds) }),
    }
  }

  toBody(requestId: string): Schemas['Error'] {
    return {
      status: this.status,
      message: this.message,
      error: this.code,
      ...(this.errors && { errors: this.errors }),
      request_id: requestId,
    }
  }
}

/** A failure of one field. `message` and `errors` have the same text. */
export function fieldFailure(code: ErrorCode, field: string): Failure {
  return new Failure(code, { errors: { [field]: [REFUSALS[code][1]] } })
}
