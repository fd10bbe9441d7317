// The errors of the partner API, each with real requests that get it. A test compares the list with the
// catalogue of error codes.
import type { ErrorCode } from '@tiwala/contract/partner'
import { type RawClient, PATHS } from './raw-client.ts'

export type Provocation = {
  /** What the button does, for the page. */
  how: string
  /** Resolves with the response that has the error. */
  run: (client: RawClient) => Promise<Response>
  /** It changes the state of the partner, which must be set to normal afterwards. */
  changesPartner?: true
  /** It moves the clock by so many seconds. */
  movesClockBy?: number
}

const UNKNOWN_QR = `TWQ1${'0'.repeat(32)}`
const UNKNOWN_TRACKING_NO = '0'.repeat(26)
const RESULT_TTL_SECONDS = 3_600
const TOKEN_TTL_SECONDS = 300
const TOO_LONG = 20_000
/** A limit is reached at the second request at the latest, unless a new minute begins. */
const MAX_REQUESTS = 4

const changed = (
  how: string,
  condition: string,
  run: (client: RawClient) => Promise<Response>,
): Provocation => ({
  how,
  changesPartner: true,
  run: async (client) => {
    await client.setCondition(condition)
    return run(client)
  },
})

/** Sends requests until one has the status. */
async function until(status: number, send: () => Promise<Response>): Promise<Response> {
  let response = await send()
  for (let count = 1; count < MAX_REQUESTS && response.status !== status; count++) response = await send()
  return response
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

export const PROVOCATIONS: Partial<Record<ErrorCode, Provocation>> = {
  malformed_request: {
    how: 'Sends a body that is not JSON.',
    run: ({ asPartner }) => asPartner(PATHS.request, { method: 'POST', headers: JSON_TYPE, body: '{' }),
  },
  validation_failed: {
    how: 'Leaves out the QR value.',
    run: ({ asPartner }) => asPartner(PATHS.request, { method: 'POST', headers: JSON_TYPE, body: '{}' }),
  },
  unsupported_media_type: {
    how: 'Sends plain text instead of JSON or a form.',
    run: ({ asPartner }) =>
      asPartner(PATHS.request, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'Hello' }),
  },
  not_acceptable: {
    how: 'Accepts XML only.',
    run: ({ asPartner }) => asPartner(PATHS.self, { headers: { Accept: 'application/xml' } }),
  },
  payload_too_large: {
    how: 'Sends a body of 20 KB.',
    run: ({ asPartner }) =>
      asPartner(PATHS.request, {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ qr_value: 'x'.repeat(TOO_LONG) }),
      }),
  },
  not_found: {
    how: 'Asks for a path that does not exist.',
    run: ({ asPartner }) => asPartner(`${PATHS.self}/nothing`),
  },
  method_not_allowed: {
    how: 'Deletes where only GET is allowed.',
    run: ({ asPartner }) => asPartner(PATHS.inquire, { method: 'DELETE' }),
  },
  credentials_missing: { how: 'Sends no secret headers.', run: ({ send }) => send(PATHS.self) },
  credentials_invalid: {
    how: 'Sends a wrong secret token.',
    run: ({ asPartner }) => asPartner(PATHS.self, { headers: { 'X-Secret-Token': 'wrong' } }),
  },
  browser_use_forbidden: {
    how: 'Sends the request from a page of another origin.',
    run: ({ asOtherOrigin }) => asOtherOrigin(PATHS.self),
  },
  partner_suspended: changed('Suspends your partner for a moment.', 'suspended', ({ asPartner }) =>
    asPartner(PATHS.self),
  ),
  ip_not_allowed: changed(
    'Allows only another address for a moment.',
    'other_address_only',
    ({ asPartner }) => asPartner(PATHS.self),
  ),
  scope_not_granted: changed(
    'Takes the profile scopes from your partner for a moment.',
    'without_profile_scopes',
    ({ inquire }) => inquire(UNKNOWN_TRACKING_NO),
  ),
  rate_limited: changed(
    'Allows one request a minute for a moment, and sends two.',
    'one_request_per_minute',
    ({ request }) => until(429, () => request(UNKNOWN_QR)),
  ),
  quota_exceeded: changed(
    'Allows one request a day for a moment, and sends two.',
    'one_request_per_day',
    ({ request, issueQr }) => until(429, async () => request(await issueQr('inquire'))),
  ),
  qr_value_invalid: { how: 'Sends an unknown QR value.', run: ({ request }) => request(UNKNOWN_QR) },
  tracking_no_not_found: {
    how: 'Inquires about an unknown tracking number.',
    run: ({ inquire }) => inquire(UNKNOWN_TRACKING_NO),
  },
  slow_down: {
    how: 'Inquires twice at once about a pending record.',
    run: async ({ requestPending, inquire }) => {
      const trackingNo = await requestPending()
      return until(429, () => inquire(trackingNo))
    },
  },
  authorization_not_pending: {
    how: 'Cancels a record that the citizen has declined.',
    run: async ({ requestPending, decline, cancel }) => {
      const trackingNo = await requestPending()
      await decline(trackingNo)
      return cancel(trackingNo)
    },
  },
  result_expired: {
    how: 'Moves your clock past the hour in which a profile can be read.',
    movesClockBy: RESULT_TTL_SECONDS + 1,
    run: async ({ requestPending, accept, advance, inquire }) => {
      const trackingNo = await requestPending()
      await accept(trackingNo)
      await advance(RESULT_TTL_SECONDS + 1)
      return inquire(trackingNo)
    },
  },
  partner_invalid: {
    how: 'Sends a wrong partner secret.',
    run: ({ generateToken }) => generateToken({ partner_secret: 'wrong', exchange_code: 'wrong' }),
  },
  scope_invalid: {
    how: 'Asks for a token with the scope of profiles.',
    run: ({ generateToken }) => generateToken({ scope: 'PROFILE_INQUIRE', exchange_code: 'unknown' }),
  },
  exchange_code_invalid: {
    how: 'Sends an unknown exchange code.',
    run: ({ generateToken }) => generateToken({ exchange_code: 'unknown' }),
  },
  token_missing: { how: 'Signs in without an access token.', run: ({ authenticate }) => authenticate() },
  token_invalid: {
    how: 'Signs in with an unknown token.',
    run: ({ authenticate }) => authenticate('unknown'),
  },
  token_used: {
    how: 'Signs in twice with the same token.',
    run: async ({ issueAccessToken, authenticate }) => {
      const token = await issueAccessToken()
      await authenticate(token)
      return authenticate(token)
    },
  },
  token_expired: {
    how: 'Moves your clock past the five minutes of a token.',
    movesClockBy: TOKEN_TTL_SECONDS + 1,
    run: async ({ issueAccessToken, advance, authenticate }) => {
      const token = await issueAccessToken()
      await advance(TOKEN_TTL_SECONDS + 1)
      return authenticate(token)
    },
  },
}

/** Errors that only a fault or an overload of the service causes: no request of a partner provokes them. */
export const UNPROVOKED: Partial<Record<ErrorCode, string>> = {
  internal_error: 'No request provokes it: only a fault of the service does. Its page says what you do.',
  unavailable:
    'No request provokes it: only a service that is overloaded or stopping does. Its page says what you do.',
}
