// The signal of the caller, at each point of a call.
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { callMethod } from '../kit/call-method.ts'
import { refusalBody } from '../kit/documented-responses.ts'
import { type Behavior, neverRespond, respond, startPeerForFile, stopInBody } from '../kit/scripted-peer.ts'
import { UNKNOWN_CREDENTIALS, UNKNOWN_PARTNER } from '../kit/unknown-credentials.ts'

const peer = await startPeerForFile()
const profiles = createPartnerClient({ baseUrl: peer.url, ...UNKNOWN_CREDENTIALS })
const sso = createSsoClient({ authUrl: peer.url, ...UNKNOWN_PARTNER })

const REASON = new Error('The customer has left')
const CALLS = [profiles, sso].flatMap((client) =>
  Object.keys(client).map(
    (method) => [method, (signal: AbortSignal) => callMethod(client, method, { signal })] as const,
  ),
)

/** Aborts `afterMs` after the peer has behaved. */
function abortAfter(behavior: Behavior, afterMs: number): AbortSignal {
  const caller = new AbortController()
  peer.setScript((socket) => {
    behavior(socket)
    setTimeout(() => caller.abort(REASON), afterMs)
  })
  return caller.signal
}

describe.each(CALLS)('%s rejects with the reason of the signal', (method, call) => {
  test('aborted before: nothing is sent', async () => {
    peer.setScript(neverRespond)
    await expect(call(AbortSignal.abort(REASON))).rejects.toBe(REASON)
    expect(peer.requests).toEqual([])
  })

  test('aborted before the response', async () => {
    await expect(call(abortAfter(neverRespond, 0))).rejects.toBe(REASON)
    expect(peer.requests).toHaveLength(1)
  })

  test('aborted in the body', async () => {
    await expect(call(abortAfter(stopInBody, 30))).rejects.toBe(REASON)
    expect(peer.requests).toHaveLength(1)
  })
})

// Codes and tokens are sent once, so they have no such pause.
test.each(CALLS.filter(([method]) => !(method in sso)))(
  '%s: aborted in the pause before a retry',
  async (_method, call) => {
    const busy = respond(503, refusalBody(503, 'unavailable'), { 'Retry-After': '10' })
    await expect(call(abortAfter(busy, 100))).rejects.toBe(REASON)
    expect(peer.requests).toHaveLength(1)
  },
)

test('signIn: aborted between its two requests, it does not send the token', async () => {
  const caller = new AbortController()
  const token = Response.json({ access_token: 'twa_x' }, { headers: { 'X-Request-Id': 'req_x' } })
  const sent: string[] = []
  const client = createSsoClient({
    authUrl: peer.url,
    ...UNKNOWN_PARTNER,
    fetch: async ({ url }) => {
      sent.push(new URL(url).pathname)
      return token
    },
    onResponse: () => caller.abort(REASON),
  })
  await expect(client.signIn('x', { signal: caller.signal })).rejects.toBe(REASON)
  expect(sent).toEqual([locate('generateToken').path])
})
