const MESSAGES = {
  headers_missing: 'webhook-id, webhook-timestamp or webhook-signature is missing',
  timestamp_invalid: 'webhook-timestamp is not a number of seconds',
  timestamp_too_old: 'webhook-timestamp is too old: held back or sent again by somebody, or the clock here is fast',
  timestamp_too_new: 'webhook-timestamp is in the future: the clock here is slow',
  signature_invalid: 'No signature fits: not from the service, another secret, or not the body as it was received',
  secret_invalid: 'The webhook secret is not one (whsec_...)',
  body_invalid: 'The body is signed, but no event: no JSON object with a type',
}

export type WebhookErrorCode = keyof typeof MESSAGES

/** What arrived at your callback URL is not to be acted on. Decide by `code`; `secret_invalid` is a fault on your side. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode) {
    super(`${MESSAGES[code]} (${code})`)
    this.code = code
  }
}
