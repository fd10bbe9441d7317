import { createPartnerClient, createSsoClient, type PartnerClientOptions } from '@tiwala/client'
import { type PartnerOperations, partnerRoutes } from '@tiwala/contract/partner'
import { createTransport } from '@tiwala/transport'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACCEPTED, refusalBody } from '../kit/documented-responses.ts'
import { withInstantTimers } from '../kit/instant-timers.ts'
import { respond, startPeerForFile } from '../kit/scripted-peer.ts'
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
  await profiles().inquire('x', { waitSeconds: 20 })
  await profiles({ timeoutMs: 1_234 }).inquire('x')
  expect(timeOuts.mock.calls).toEqual([[15_000], [35_000], [1_234]])
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
    peer.setScript(refuse(503, 'unavailable'))
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
