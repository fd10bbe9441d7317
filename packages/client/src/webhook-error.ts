const MESSAGES = {
  headers_missing: 'The header webhook-id, webhook-timestamp or webhook-signature is missing',
  timestamp_invalid: 'webhook-timestamp is not a number of seconds',
  timestamp_too_old:
    'webhook-timestamp is too old. The request is late or a replay, or the clock of this machine is fast',
  timestamp_too_new: 'webhook-timestamp is in the future. The clock of this machine is slow',
  signature_invalid:
    'No signature is valid. The sender or the secret is wrong, or the body was changed or parsed',
  secret_invalid: 'The webhook secret is not valid. Pass the whole secret, which starts with whsec_',
  body_invalid: 'The signature is valid, but the body is not an event. An event is a JSON object with a type',
}

export type WebhookErrorCode = keyof typeof MESSAGES

/**
 * A request to your callback URL failed its verification. Do not act on it. Decide by `code`:
 * `secret_invalid` is a mistake in your configuration, the other codes are about the request.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  /** The stable name of the failure. The message may change. */
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode) {
    super(`${MESSAGES[code]} (${code})`)
    this.code = code
  }
}
