import partner from '@tiwala/contract/partner.json' with { type: 'json' }

/** The headers that every documented record has. */
const headersOf = (state: string) => ({
  'Content-Type': 'application/json',
  'X-Request-Id': 'req_5Hb2pYJ7Qn0sVtXw8RkZc1',
  'X-Authorization-State': state,
  'X-Time-Zone': 'Asia/Manila',
})

/** Successes of the service, from the examples of the document. */
export const PENDING = { body: partner.components.examples.Pending.value, headers: headersOf('PENDING') }
export const ACCEPTED = {
  body: partner.paths['/api/pub/inquire'].get.responses['200'].content['application/json'].examples.accepted
    .value,
  headers: headersOf('ACCEPTED'),
}
export const SIGNED_IN = {
  body: partner.paths['/api/partner/sso_authentication'].post.responses['200'].content['application/json']
    .examples.signedIn.value,
  headers: headersOf(''),
}

/** A refusal of the service. */
export const refusalBody = (status: number, error: string) => ({
  status,
  message: 'Not now',
  error,
  request_id: 'req_5Hb2pYJ7Qn0sVtXw8RkZc1',
})
