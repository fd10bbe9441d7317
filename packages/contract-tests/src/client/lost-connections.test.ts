// A peer that breaks the connection or stays silent, at each point of a request.
import { createPartnerClient, createSsoClient, TiwalaConnectionError, TiwalaError } from '@tiwala/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACCEPTED } from '../kit/documented-responses.ts'
import {
  neverRespond,
  resetBefore,
  resetInBody,
  respond,
  startPeerForFile,
  stopInBody,
} from '../kit/scripted-peer.ts'
import { UNKNOWN_CREDENTIALS, UNKNOWN_PARTNER } from '../kit/unknown-credentials.ts'

const peer = await startPeerForFile()
const profiles = createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, timeoutMs: 100 })
const sso = createSsoClient({ authUrl: peer.url, ...UNKNOWN_PARTNER, timeoutMs: 100 })

// No pause between two attempts.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error as TiwalaConnectionError,
  )

describe.each([
  ['the connection is reset before the response', resetBefore, 'connection_failed'],
  ['the connection is reset in the body', resetInBody, 'connection_failed'],
  ['there is no response in time', neverRespond, 'timeout'],
  ['the body does not end in time', stopInBody, 'timeout'],
] as const)('%s', (_what, behavior, code) => {
  test.each([
    ['inquire', () => profiles.inquire('x')],
    ['requestAuthorization', () => profiles.requestAuthorization('x')],
    ['profileByQr', () => profiles.profileByQr('x')],
    ['cancelAuthorization', () => profiles.cancelAuthorization('x')],
  ])(`%s is sent three times, and rejects with ${code}`, async (_method, call) => {
    peer.setScript(behavior)
    const error = await errorOf(call())
    expect(error).toBeInstanceOf(TiwalaConnectionError)
    expect(error).not.toBeInstanceOf(TiwalaError)
    expect(error).toMatchObject({ name: 'TiwalaConnectionError', code, isRetryable: true })
    expect(error.cause).toMatchObject({ name: code === 'timeout' ? 'TimeoutError' : 'TypeError' })
    expect(peer.requests).toHaveLength(3)
  })

  test.each([
    ['generateToken', () => sso.generateToken('twx_secret')],
    ['authenticate', () => sso.authenticate('twa_secret')],
    ['signIn', () => sso.signIn('twx_secret')],
  ])('%s is sent once, and no message has the code, the token or the secret', async (_method, call) => {
    peer.setScript(behavior)
    const error = await errorOf(call())
    expect(error).toMatchObject({ code, isRetryable: false })
    expect(peer.requests).toHaveLength(1)
    expect(`${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`).not.toMatch(
      new RegExp(`secret|${UNKNOWN_PARTNER.partnerSecret}`),
    )
  })

  test('the next attempt succeeds', async () => {
    peer.setScript(behavior, respond(200, ACCEPTED.body, ACCEPTED.headers))
    expect((await profiles.inquire('x')).state).toBe('ACCEPTED')
    expect(peer.requests).toHaveLength(2)
  })
})

test('connection refused: the message names the address and the system error', async () => {
  const unreachable = createPartnerClient({ baseUrl: 'http://127.0.0.1:2/', ...UNKNOWN_CREDENTIALS })
  expect(await errorOf(unreachable.inquire('x'))).toMatchObject({
    code: 'connection_failed',
    message: 'The connection to http://127.0.0.1:2 failed: ECONNREFUSED (connection_failed)',
  })
})

test('timeoutMs: starts after the requested wait', async () => {
  const once = createPartnerClient({
    baseUrl: peer.url,
    ...UNKNOWN_CREDENTIALS,
    timeoutMs: 100,
    maxRetries: 0,
  })
  const slow = respond(200, ACCEPTED.body, ACCEPTED.headers)
  peer.setScript((socket) => void setTimeout(() => slow(socket), 200))
  expect((await errorOf(once.inquire('x'))).code).toBe('timeout')
  expect((await once.inquire('x', { waitSeconds: 1 })).state).toBe('ACCEPTED')
  expect(peer.requests.map((request) => /^prefer: (.*)\r$/im.exec(request)?.[1])).toEqual([
    undefined,
    'wait=1',
  ])
})
