// Every request that the server makes ends after its time, although the other side accepts the connection and never
// responds.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createKeySet } from '../../src/authentication/key-set.ts'
import type { Config } from '../../src/config.ts'
import { checkAddresses } from '../../src/doctor/check-addresses.ts'
import { checkCallbacks } from '../../src/doctor/check-callbacks.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'
import { fakeTimeOuts, until } from '../kit/fake-time-outs.ts'

const CALLBACK = { headers: {}, body: '{}', signal: new AbortController().signal }

test.each<[what: string, seconds: number, act: (port: number) => Promise<unknown>, outcome: unknown]>([
  [
    'a fetch of the keys of an identity provider',
    5,
    (port) =>
      new Promise((resolve) => {
        const url = `http://127.0.0.1:${port}/`
        void createKeySet({ url, keptMs: 60_000, onFetched: resolve }).refreshIfDue()
      }),
    { failures: 1, reason: expect.any(String) },
  ],
  [
    'an attempt to deliver an event',
    15,
    (port) => createSender({ allowLoopback: true }).send({ ...CALLBACK, url: `http://127.0.0.1:${port}/` }),
    { failure: 'time-out' },
  ],
  [
    "the doctor's check of an address of the service",
    5,
    (port) => {
      const listeners = [{ host: '127.0.0.1', port, setting: 'PORT', hasPages: false }]
      return checkAddresses({ listeners, trustedProxies: [] as string[] } as Config)
    },
    [{ status: 'problem' }],
  ],
  [
    "the doctor's check of a callback",
    5,
    (port) => checkCallbacks([`https://127.0.0.1:${port}/`], { allowLoopback: true }),
    [{ status: 'problem' }],
  ],
])('%s ends after %d s', async (_what, seconds, act, outcome) => {
  await using silent = await startConnectionCounter((socket) => void socket.resume())
  fakeTimeOuts()
  let ended: unknown
  void act(silent.port).then((result) => (ended = result))
  await until(() => silent.open() === 1 && vi.getTimerCount() > 0)
  await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(ended).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await until(() => ended !== undefined)
  expect(ended).toMatchObject(outcome as object)
})
