// Responses that are not from the service, or do not have the shape of the contract.
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { describe, expect, test } from 'vitest'
import { ACCEPTED, PENDING, SIGNED_IN } from '../kit/documented-responses.ts'
import { respond, startPeerForFile } from '../kit/scripted-peer.ts'
import { refusal } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS, UNKNOWN_PARTNER } from '../kit/unknown-credentials.ts'

const peer = await startPeerForFile()
const profiles = createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, maxRetries: 0 })
const sso = createSsoClient({ authUrl: peer.url, ...UNKNOWN_PARTNER })

const UNEXPECTED = { name: 'TiwalaError', code: 'unexpected_answer', fields: {}, requestId: undefined }

describe('unexpected_answer', () => {
  test.each([
    { what: 'HTML with 500', status: 500, body: '<h1>Internal server error</h1>' },
    { what: 'HTML with 502', status: 502, body: '<h1>Bad gateway</h1>' },
    { what: 'JSON of another shape with 503', status: 503, body: '{"error":"overloaded"}' },
    { what: 'nothing with 404', status: 404, body: '' },
    { what: 'HTML with 200', status: 200, body: '<h1>Please sign in to this network</h1>' },
    { what: 'nothing with 200', status: 200, body: '' },
    { what: 'JSON of another shape with 200', status: 200, body: '{"hello":1}' },
    { what: 'null with 200', status: 200, body: 'null' },
    { what: 'half a body with 200', status: 200, body: JSON.stringify(ACCEPTED.body).slice(0, -20) },
  ])('$what', async ({ status, body }) => {
    peer.setScript(respond(status, body, ACCEPTED.headers))
    expect(await refusal(profiles.inquire('x'))).toMatchObject({
      ...UNEXPECTED,
      status,
      helpUrl: undefined,
      message: `The response is not from the service (HTTP ${status}). Check the address and the proxy.`,
    })
  })

  test('a redirect is not followed, so no other server gets secrets', async () => {
    for (const status of [301, 302, 303, 307, 308])
      for (const call of [
        () => profiles.requestAuthorization('x'),
        () => profiles.inquire('x'),
        () => sso.generateToken('x'),
        () => sso.authenticate('x'),
      ]) {
        peer.setScript(respond(status, '', { Location: `${peer.url}/elsewhere` }))
        const error = await refusal(call())
        expect(error).toMatchObject({ ...UNEXPECTED, status, isRetryable: false })
        expect(error.message).toContain('A redirect is not followed')
        expect(peer.requests).toHaveLength(1)
      }
  })
})

/** Every copy of a value in which one field is missing or has the wrong type. */
function brokenCopies(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [{ unexpected: true }]
  if (Array.isArray(value)) return ['not a list']
  return Object.entries(value).flatMap(([name, field]) => {
    const { [name]: _missing, ...others } = value as Record<string, unknown>
    return [others, ...brokenCopies(field).map((broken) => ({ ...others, [name]: broken }))]
  })
}

describe.each([
  ['a pending record', PENDING, () => profiles.inquire('x')],
  ['an accepted record', ACCEPTED, () => profiles.inquire('x')],
  ['a sign-in', SIGNED_IN, () => sso.authenticate('x')],
])('the shape of %s', (_what, { body, headers }, call) => {
  test('200: the documented response', async () => {
    peer.setScript(respond(200, body, headers))
    await expect(call()).resolves.toMatchObject({ requestId: headers['X-Request-Id'] })
  })

  test('200: fields that a later version adds are accepted', async () => {
    peer.setScript(respond(200, { ...body, added: 1, data: { ...body.data, added: {} } }, headers))
    await expect(call()).resolves.toBeDefined()
  })

  test('unexpected_answer: a field is missing or has another type', async () => {
    const copies = brokenCopies(body)
    expect(copies.length).toBeGreaterThan(20)
    const fetched = copies.map(async (broken) => {
      const fetch = async () => Response.json(broken, { headers })
      const fake = {
        profiles: createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, fetch }),
        sso: createSsoClient({ authUrl: peer.url, ...UNKNOWN_PARTNER, fetch }),
      }
      const error = await refusal(
        body === SIGNED_IN.body ? fake.sso.authenticate('x') : fake.profiles.inquire('x'),
      )
      return error.code
    })
    expect(new Set(await Promise.all(fetched))).toEqual(new Set(['unexpected_answer']))
  })

  test('unexpected_answer: a header of the service is missing', async () => {
    const { 'X-Request-Id': _missing, ...others } = headers
    peer.setScript(respond(200, body, others))
    expect(await refusal(call())).toMatchObject({ ...UNEXPECTED, status: 200 })
  })
})

test('unexpected_answer: an accepted record without a profile, and without its state', async () => {
  peer.setScript(
    respond(200, { ...ACCEPTED.body, data: { ...ACCEPTED.body.data, response: null } }, ACCEPTED.headers),
  )
  expect(await refusal(profiles.inquire('x'))).toMatchObject(UNEXPECTED)
  const { 'X-Authorization-State': _missing, ...headers } = ACCEPTED.headers
  peer.setScript(respond(200, ACCEPTED.body, headers))
  expect(await refusal(profiles.waitForAcceptance('x'))).toMatchObject(UNEXPECTED)
  expect(peer.requests).toHaveLength(1)
})
