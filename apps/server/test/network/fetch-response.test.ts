// How long a request of the service tries one address of a host before the next one.
import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createKeySet } from '../../src/authentication/key-set.ts'
import { checkCallbacks } from '../../src/doctor/check-callbacks.ts'
import { fetchProvider } from '../../src/http/sign-in/fetch-provider.ts'
import { createFetchKeys } from '../../src/oidc/fetch-keys.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'

const LOOPBACK = { allowLoopback: true }
const EVENT = { headers: {}, body: '{}', signal: new AbortController().signal }

test.each<[what: string, act: (url: string) => Promise<unknown>]>([
  [
    'a fetch of the keys of an identity provider',
    (url) => createKeySet({ url, keptMs: 60_000 }).refreshIfDue(),
  ],
  ["a request of a browser's sign-in to an identity provider", (url) => fetchProvider(url, {})],
  ['a fetch of the keys of a partner', (url) => createFetchKeys(LOOPBACK)(url)],
  ['an attempt to deliver an event', (url) => createSender(LOOPBACK).send({ ...EVENT, url })],
  ["the doctor's check of a callback", (url) => checkCallbacks([url], LOOPBACK)],
])('%s tries each address for 1.5 s', async (_what, act) => {
  await using server = await startConnectionCounter()
  const connect = vi.spyOn(Socket.prototype, 'connect')
  onTestFinished(() => connect.mockRestore())
  for (const protocol of ['http', 'https'])
    await act(`${protocol}://localhost:${server.port}/`).catch(() => {})
  const triedFor = (connect.mock.calls as unknown[][])
    .map(([args]) => [args].flat()[0] as { port: unknown; autoSelectFamilyAttemptTimeout: unknown })
    .filter(({ port }) => Number(port) === server.port)
    .map(({ autoSelectFamilyAttemptTimeout }) => autoSelectFamilyAttemptTimeout)
  expect(triedFor.length).toBeGreaterThanOrEqual(2)
  expect(new Set(triedFor)).toEqual(new Set([1_500]))
})
