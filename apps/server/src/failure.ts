import type { ErrorCode, Schemas } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }

/** The client closed the connection before the response, so there is no error. As other servers log it. */
export const CLIENT_WENT_AWAY = 499

/** The codes whose responses always tell the client how long to wait. */
type WaitingCode = {
  [Code in ErrorCode]: 'Retry-After' extends keyof (typeof catalogue)[Code]['headers'] ? Code : never
}[ErrorCode]

type Detail = {
  message?: string
  /** For each wrong field, what is wrong with it. */
  errors?: Record<string, string[]>
  headers?: Record<string, string>
  cause?: unknown
  /** The check that refused, if the code alone does not say. */
  check?: Schemas['CheckName']
  /** For the log of requests only: what the message does not say. Never received data. */
  reason?: string
}
type Wait = { retryAfterSeconds: number }

/**
 * An error with a code of the catalogue (`spec/errors/`), which decides its status. Any code may throw it;
 * `http/pipeline/send-failure.ts` turns it into an HTTP response.
 */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: Record<string, string[]> | undefined
  readonly headers: Record<string, string>
  readonly check: Schemas['CheckName'] | undefined
  readonly reason: string | undefined

  constructor(code: Exclude<ErrorCode, WaitingCode>, detail?: Detail)
  constructor(code: WaitingCode, detail: Detail & Wait)
  constructor(code: ErrorCode, detail: Detail & Partial<Wait> = {}) {
    const { status, message, headers } = catalogue[code]
    super(detail.message ?? message, { cause: detail.cause })
    this.code = code
    this.status = status
    this.errors = detail.errors
    this.check = detail.check
    this.reason = detail.reason
    this.headers = {
      ...('WWW-Authenticate' in headers && { 'WWW-Authenticate': headers['WWW-Authenticate'] }),
      ...detail.headers,
      ...(detail.retryAfterSeconds !== undefined && { 'Retry-After': String(detail.retryAfterSeconds) }),
    }
  }

  toHeaders(publicUrl: string): Record<string, string> {
    return {
      ...this.headers,
      'Cache-Control': 'no-store',
      Link: helpLink(publicUrl, this.code),
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

/** The page that explains the code (RFC 8288). */
export const helpLink = (publicUrl: string, code: ErrorCode) => `<${publicUrl}/errors/${code}>; rel="help"`

/** A failure of one field. `message` and `errors` have the same text. */
export function fieldFailure(code: Exclude<ErrorCode, WaitingCode>, field: string): Failure {
  return new Failure(code, { errors: { [field]: [catalogue[code].message] } })
}

export const unknownCitizen = () =>
  new Failure('not_found', { message: 'The registry does not know this citizen' })

export const unknownDisclosure = () =>
  new Failure('not_found', { message: 'No disclosure of yours has this id' })

export const unknownPartner = () => new Failure('not_found', { message: 'No partner has this partner_code' })
