import {
  createPartnerClient,
  createSsoClient,
  type PartnerClientOptions,
  type TiwalaConnectionError,
} from '@tiwala/client'
import { type PartnerOperations, partnerRoutes } from '@tiwala/contract/partner'
import { createTransport } from '@tiwala/transport'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACCEPTED, refusalBody, SIGNED_IN, TOKEN } from '../kit/documented-responses.ts'
import { withInstantTimers } from '../kit/instant-timers.ts'
import { type Behavior, resetBefore, respond, startPeerForFile } from '../kit/scripted-peer.ts'
import { refusal } from '../kit/test-service.ts'
import { UNKNOWN_CREDENTIALS, UNKNOWN_PARTNER } from '../kit/unknown-credentials.ts'

const peer = await startPeerForFile()
const profiles = (options: Partial<PartnerClientOptions> = {}) =>
  createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS, ...options })
const sso = createSsoClient({ authUrl: peer.url, ...UNKNOWN_PARTNER })

const accepted = respond(200, ACCEPTED.body, ACCEPTED.headers)
const refuse = (status: number, code: string, headers: Record<string, string> = {}) =>
  respond(status, refusalBody(status, code), headers)

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

/** The pauses of a call that succeeds, in seconds. */
const pausesOf = (call: () => Promise<unknown>) =>
  withInstantTimers(async (pauses) => {
    await call()
    return pauses
  })

describe('a read and requestAuthorization are repeated', () => {
  test.each([
    ['a gateway responds with HTML and 500', respond(500, '<h1>Error</h1>')],
    ['a gateway responds with HTML and 502', respond(502, '<h1>Bad gateway</h1>')],
    ['a gateway responds with HTML and 429', respond(429, '<h1>Too many requests</h1>')],
    ['internal_error', refuse(500, 'internal_error')],
    ['unavailable', refuse(503, 'unavailable')],
    ['rate_limited', refuse(429, 'rate_limited')],
  ])('%s: at most twice', async (_what, behavior) => {
    for (const call of [
      () => profiles().inquire('x'),
      () => profiles().requestAuthorization('x'),
      () => profiles().whoAmI(),
    ]) {
      peer.setScript(behavior)
      const error = await refusal(call())
      expect([error.isRetryable, peer.requests.length]).toEqual([true, 3])
    }
    peer.setScript(behavior, accepted)
    expect((await profiles().requestAuthorization('x')).state).toBe('ACCEPTED')
  })

  test('the pauses are random, at most 0.5 and 1 s', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    peer.setScript(respond(502, ''), respond(502, ''), accepted)
    expect(await pausesOf(() => profiles().inquire('x'))).toEqual([0.25, 0.5])
  })

  test('Retry-After in seconds, up to 10', async () => {
    for (const seconds of [7, 10]) {
      peer.setScript(refuse(429, 'rate_limited', { 'Retry-After': String(seconds) }), accepted)
      expect(await pausesOf(() => profiles().inquire('x'))).toEqual([seconds])
    }
  })

  test.each([
    ['right', 0],
    ['an hour fast', -3_600],
    ['an hour slow', 3_600],
  ])('Retry-After as a date: the clock of this machine is %s', async (_what, offsetSeconds) => {
    const at = (seconds: number) => new Date(Date.now() + (offsetSeconds + seconds) * 1000).toUTCString()
    peer.setScript(refuse(503, 'unavailable', { Date: at(0), 'Retry-After': at(5) }), accepted)
    expect(await pausesOf(() => profiles().inquire('x'))).toEqual([5])
  })

  test('maxRetries: 0 sends a request once', async () => {
    peer.setScript(respond(502, ''))
    await refusal(profiles({ maxRetries: 0 }).inquire('x'))
    expect(peer.requests).toHaveLength(1)
  })
})

test('an attempt may take 15 s, and the time that the service may wait', async () => {
  const timeOuts = vi.spyOn(AbortSignal, 'timeout')
  peer.setScript(accepted)
  await profiles().inquire('x')
  await profiles().inquire('x', { waitSeconds: 20.5 })
  await profiles({ timeoutMs: 1_233.5 }).inquire('x')
  // A longer timer would fire at once.
  await profiles({ timeoutMs: 2 ** 31 - 1 }).inquire('x', { waitSeconds: 1 })
  expect(timeOuts.mock.calls).toEqual([[15_000], [35_000], [1_234], [2 ** 31 - 1]])
})

describe('the same QR value gives the same record for 30 s', () => {
  /** How often a call is repeated if each attempt takes this long and fails, and whether its error is retryable. */
  const retriesOf = async (call: () => Promise<unknown>, seconds: number, fail: Behavior) => {
    const realNow = performance.now.bind(performance)
    let passedMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passedMs)
    peer.setScript((socket) => {
      passedMs += seconds * 1_000
      fail(socket)
    })
    const error = (await call().catch((thrown: unknown) => thrown)) as TiwalaConnectionError
    vi.mocked(performance.now).mockRestore()
    return [peer.requests.length - 1, error.isRetryable]
  }

  test.each(['requestAuthorization', 'profileByQr'] as const)(
    '%s is repeated until 25 s after the first attempt, and not retryable later unless nothing was done',
    async (method) => {
      const call = () => profiles()[method]('x')
      expect(await retriesOf(call, 24, resetBefore)).toEqual([1, false])
      const callOnce = () => profiles({ maxRetries: 0 })[method]('x')
      expect(await retriesOf(callOnce, 24, resetBefore)).toEqual([0, true])
      expect(await retriesOf(call, 26, respond(502, ''))).toEqual([0, false])
      expect(await retriesOf(call, 26, refuse(503, 'unavailable'))).toEqual([0, true])
      const inTenSeconds = refuse(503, 'unavailable', { 'Retry-After': '10' })
      expect(await retriesOf(call, 16, inTenSeconds)).toEqual([0, true])
    },
  )

  test('another read is repeated at any time', async () => {
    expect(await retriesOf(() => profiles().inquire('x'), 40, resetBefore)).toEqual([2, true])
  })
})

describe('a request is sent once', () => {
  test.each([
    ['rate_limited with a Retry-After over 10 s', refuse(429, 'rate_limited', { 'Retry-After': '11' }), true],
    ['slow_down: the caller decides how often it inquires', refuse(429, 'slow_down'), true],
    ['quota_exceeded', refuse(429, 'quota_exceeded', { 'Retry-After': '1' }), false],
    ['tracking_no_not_found', refuse(404, 'tracking_no_not_found'), false],
    ['200 with junk', respond(200, '<h1>Please sign in to this network</h1>'), false],
    ['a redirect', respond(307, '', { Location: '/elsewhere' }), false],
  ])('%s', async (_what, behavior, isRetryable) => {
    peer.setScript(behavior)
    const error = await refusal(profiles().inquire('x'))
    expect([error.isRetryable, peer.requests.length]).toEqual([isRetryable, 1])
  })

  test('a POST that is not known to be safe, with any number of retries', async () => {
    const call = createTransport<PartnerOperations>(partnerRoutes, { baseUrl: peer.url, maxRetries: 9 })
    peer.setScript(respond(502, ''))
    await refusal(call('requestAuthorization', { body: { qr_value: 'x' } }))
    expect(peer.requests).toHaveLength(1)
  })

  // The service uses up a code only together with its response, a gateway may not have passed it on.
  test.each([
    ['unavailable', refuse(503, 'unavailable'), true],
    ['a gateway responds with 502', respond(502, ''), false],
  ])('codes and tokens: %s', async (_what, behavior, isRetryable) => {
    for (const call of [() => sso.generateToken('x'), () => sso.authenticate('x'), () => sso.signIn('x')]) {
      peer.setScript(behavior)
      const error = await refusal(call())
      expect([error.isRetryable, peer.requests.length]).toEqual([isRetryable, 1])
    }
  })
})

describe('signIn, after the code was exchanged', () => {
  const token = respond(200, TOKEN.body, TOKEN.headers)
  const signedIn = respond(200, SIGNED_IN.body, SIGNED_IN.headers)
  const paths = () => peer.requests.map((request) => /^POST (\S+)/.exec(request)![1])
  const [first, second] = [partnerRoutes.generateToken.path, partnerRoutes.authenticate.path]

  test.each([
    [500, 'internal_error', {}, 0],
    [503, 'unavailable', {}, 0],
    [429, 'rate_limited', { 'Retry-After': '3' }, 3],
  ])('%i %s: it sends only the token again', async (status, code, headers, seconds) => {
    peer.setScript(token, refuse(status, code, headers), signedIn)
    const attempts: number[] = []
    const observed = createSsoClient({
      authUrl: peer.url,
      ...UNKNOWN_PARTNER,
      onRequest: ({ attempt }) => void attempts.push(attempt),
    })
    expect(await pausesOf(() => observed.signIn('x'))).toEqual([seconds])
    expect([paths(), attempts]).toEqual([
      [first, second, second],
      [1, 1, 2],
    ])
  })

  // Repeated, it would send the code again, which revokes the token.
  test.each([
    ['unavailable', refuse(503, 'unavailable'), 3],
    ['rate_limited with a Retry-After over 10 s', refuse(429, 'rate_limited', { 'Retry-After': '11' }), 1],
    ['a gateway responds with 502', respond(502, ''), 1],
  ])('%s: the error is not retryable', async (_what, behavior, attempts) => {
    peer.setScript(token, behavior)
    const error = await refusal(sso.signIn('x'))
    expect([error.isRetryable, error.operation]).toEqual([false, 'authenticate'])
    expect(paths()).toEqual([first, ...Array.from({ length: attempts }, () => second)])
  })
})
