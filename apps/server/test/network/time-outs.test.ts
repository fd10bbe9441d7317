// Every request that the server makes ends after its time, although the other side accepts the connection and never
// responds. So does every connection to it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createKeySet } from '../../src/authentication/key-set.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { checkAddresses } from '../../src/doctor/check-addresses.ts'
import { checkCallbacks } from '../../src/doctor/check-callbacks.ts'
import { writeGoingLiveReport } from '../../src/going-live/write-going-live-report.ts'
import { prepareDrain } from '../../src/http/process/drain.ts'
import { createHttpServer } from '../../src/http/process/http-server.ts'
import { rejectUnreadable } from '../../src/http/process/reject-unreadable.ts'
import { discover } from '../../src/http/sign-in/identity-provider.ts'
import { createFetchKeys } from '../../src/oidc/fetch-keys.ts'
import type { Call, Service } from '../../src/operation.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'
import { fakeDatabase } from '../kit/fake-database.ts'
import { fakeTimeOuts, until } from '../kit/fake-time-outs.ts'

const toOutcome = (error: unknown) => ({ error })
const CALLBACK = { headers: {}, body: '{}', signal: new AbortController().signal }

const refreshKeySet = (port: number) =>
  new Promise<unknown>((resolve) => {
    const url = `http://127.0.0.1:${port}/`
    void createKeySet({ url, keptMs: 60_000, onFetched: resolve }).refreshIfDue()
  })
const discoverProvider = (port: number) =>
  discover({ issuer: `http://127.0.0.1:${port}`, clientId: 'tiwala', clientSecret: undefined }).catch(
    (error: Error) => error,
  )
const sendEvent = (port: number) =>
  createSender({ allowLoopback: true }).send({ ...CALLBACK, url: `http://127.0.0.1:${port}/` })
const fetchPartnerKeys = (port: number) =>
  createFetchKeys({ allowLoopback: true })(`http://127.0.0.1:${port}/`).catch(toOutcome)

test.each<[what: string, seconds: number, act: (port: number) => Promise<unknown>, outcome: unknown]>([
  [
    'a fetch of the keys of an identity provider',
    5,
    refreshKeySet,
    { failures: 1, reason: expect.any(String) },
  ],
  [
    "a request of a browser's sign-in to an identity provider",
    10,
    discoverProvider,
    { message: expect.any(String) },
  ],
  ['an attempt to deliver an event', 15, sendEvent, { failure: 'time-out' }],
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
  ['a fetch of the keys of a partner', 2.5, fetchPartnerKeys, { error: expect.any(Error) }],
  [
    'the test of a receiver for a report',
    5,
    (port) => {
      const callback_url = `http://127.0.0.1:${port}/`
      const db = fakeDatabase(async ({ sql }) => (sql.includes('callback_url') ? [{ callback_url }] : []))
      const config = readConfig({})
      const call = {
        caller: { partnerId: 1 },
        body: {},
        slot: { release: () => {}, reacquire: async () => false },
      }
      return writeGoingLiveReport(
        { db, config } as Service,
        call as unknown as Call<'writeGoingLiveReport'>,
      ).catch(toOutcome)
    },
    { error: expect.any(Error) },
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

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'

test.each<[what: string, act: (port: number) => Promise<unknown>, outcome: unknown]>([
  ['a fetch of the keys of an identity provider', refreshKeySet, { failures: 1, reason: 'ECONNRESET' }],
  ["a request of a browser's sign-in to an identity provider", discoverProvider, expect.any(Error)],
  ['an attempt to deliver an event', sendEvent, { failure: 'connection closed' }],
  ['a fetch of the keys of a partner', fetchPartnerKeys, { error: expect.any(Error) }],
])('%s ends when the other side switches to another protocol', async (_what, act, outcome) => {
  await using other = await startConnectionCounter(
    (socket) => void socket.once('data', () => socket.write(SWITCH)),
  )
  expect(await act(other.port)).toEqual(outcome)
})

test('the rest of a response to an event may take 1 s after its status', async () => {
  await using slow = await startConnectionCounter(
    (socket) => void socket.resume().write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
  )
  fakeTimeOuts()
  let ended: unknown
  const { send, close } = createSender({ allowLoopback: true })
  void send({ ...CALLBACK, url: `http://127.0.0.1:${slow.port}/` }).then((result) => (ended = result))
  // The timer of the attempt, the check of its bytes, and the timer of its body. Those of earlier tests may be there, too.
  await until(() => slow.open() === 1 && vi.getTimerCount() >= 3)
  await vi.advanceTimersByTimeAsync(999)
  for (let turns = 0; turns < 10; turns++) await turn()
  expect(ended).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await until(() => ended !== undefined)
  expect(ended).toMatchObject({ status: 200 })
  close()
})

test('a client whose request cannot be read has 300 ms to read the response', async () => {
  const server = createServer().on('clientError', (error, socket) =>
    rejectUnreadable(error, socket as Socket, {
      publicUrl: 'https://tiwala.example',
      requestTimeoutMs: 5_000,
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const connected = once(server, 'connection') as Promise<[Socket]>
  fakeTimeOuts()
  // It does not close its side.
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  client.write('no HTTP\r\n\r\n')
  client.resume()
  const [socket] = await connected
  await until(() => socket.writableFinished)
  await vi.advanceTimersByTimeAsync(299)
  expect(socket.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(socket.destroyed).toBe(true)
  client.destroy()
})

test('a server that stops closes unused connections after 1 s, and all others after 10 s', async () => {
  const server = createServer((_req, res) => void res.write('a response without end'))
  const { drain } = prepareDrain(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket))
  const [used, unused] = [0, 1].map(() =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  )
  used!.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(used!, 'data')
  await until(() => sockets.length === 2)
  const openSockets = () => sockets.filter(({ destroyed }) => !destroyed).length
  fakeTimeOuts()
  let isEnded = false
  void drain().then(() => (isEnded = true))
  await until(() => vi.getTimerCount() >= 2)
  const after: number[] = []
  for (const ms of [999, 1, 8_999, 1]) {
    await vi.advanceTimersByTimeAsync(ms)
    after.push(openSockets())
  }
  expect(after).toEqual([2, 1, 1, 0])
  await until(() => isEnded)
  for (const client of [used, unused]) client!.destroy()
})

test('a server limits its connections, the time of a request, and its headers', () => {
  const config = readConfig({ TIWALA_MAX_WAITING: '7' })
  expect(createHttpServer(express(), config)).toMatchObject({
    // Twice the waiting requests, and 1,000.
    maxConnections: 1_014,
    maxHeaderSize: 8 * 1024,
    headersTimeout: 5_000,
    requestTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  })
})
