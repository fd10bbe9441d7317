// A peer that breaks the connection or stays silent, at each point of a request.
import {
  createPartnerClient,
  createSsoClient,
  type RequestEvent,
  TiwalaConnectionError,
  TiwalaError,
} from '@tiwala/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callMethod } from '../kit/call-method.ts'
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

/** Both clients of the peer, and the attempts that they have made. */
function createClients(timeoutMs: number) {
  const attempts: string[] = []
  const options = {
    timeoutMs,
    onRequest: ({ operation }: RequestEvent) => void attempts.push(operation),
  }
  return {
    attempts,
    profiles: createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, ...options }),
    sso: createSsoClient({ authUrl: peer.url, ...UNKNOWN_PARTNER, ...options }),
  }
}
type Clients = ReturnType<typeof createClients>
const REPEATED = Object.keys(createClients(1).profiles).filter((method) => method !== 'waitForAcceptance')

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
  // A reset ends the request sooner than any time-out.
  const timeoutMs = code === 'timeout' ? 50 : 60_000

  test.each(REPEATED)(`%s is sent three times, and rejects with ${code}`, async (method) => {
    peer.setScript(behavior)
    const clients = createClients(timeoutMs)
    const error = await errorOf(callMethod(clients.profiles, method))
    expect(error).toBeInstanceOf(TiwalaConnectionError)
    expect(error).not.toBeInstanceOf(TiwalaError)
    expect(error).toMatchObject({ name: 'TiwalaConnectionError', code, isRetryable: true })
    expect(error.cause).toMatchObject({ name: code === 'timeout' ? 'TimeoutError' : 'TypeError' })
    expect(clients.attempts).toHaveLength(3)
  })

  test.each([
    ['generateToken', ({ sso }: Clients) => sso.generateToken('twx_secret')],
    ['authenticate', ({ sso }: Clients) => sso.authenticate('twa_secret')],
    ['signIn', ({ sso }: Clients) => sso.signIn('twx_secret')],
  ])('%s is sent once, and no message has the code, the token or the secret', async (_method, call) => {
    peer.setScript(behavior)
    const clients = createClients(timeoutMs)
    const error = await errorOf(call(clients))
    expect(error).toMatchObject({ code, isRetryable: false })
    expect(clients.attempts).toHaveLength(1)
    expect(`${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`).not.toMatch(
      new RegExp(`secret|${UNKNOWN_PARTNER.partnerSecret}`),
    )
  })

  test('the next attempt succeeds', async () => {
    peer.setScript(behavior, respond(200, ACCEPTED.body, ACCEPTED.headers))
    const { profiles, attempts } = createClients(Math.max(timeoutMs, 1_000))
    expect((await profiles.inquire('x')).state).toBe('ACCEPTED')
    expect(attempts).toHaveLength(2)
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
  const preferences: (string | null)[] = []
  const profiles = createPartnerClient({
    baseUrl: peer.url,
    ...UNKNOWN_CREDENTIALS,
    timeoutMs: 200,
    maxRetries: 0,
    fetch: (request) => {
      preferences.push(request.headers.get('prefer'))
      return fetch(request)
    },
  })
  const accept = respond(200, ACCEPTED.body, ACCEPTED.headers)
  peer.setScript((socket) => void setTimeout(() => accept(socket), 400))
  expect((await errorOf(profiles.inquire('x'))).code).toBe('timeout')
  expect((await profiles.inquire('x', { waitSeconds: 5 })).state).toBe('ACCEPTED')
  expect(preferences).toEqual([null, 'wait=5'])
})
