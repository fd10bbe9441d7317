// The server reuses connections to endpoints: fewer handshakes, without a stale address or a lost event.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type LookupFunction, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { AddressNotAllowed, openConnections } from '../../src/webhooks/connections.ts'
import { createSender, type Sender } from '../../src/webhooks/send.ts'
import { startConnectionCounter, type ConnectionCounter } from '../kit/connection-counter.ts'

const DELIVERED = { status: 204, retryAfterSeconds: undefined }
const RESPONSE = 'HTTP/1.1 204 No Content\r\n\r\n'
const NEVER_MS = 60_000
const KEPT = { allowLoopback: true, idleMs: NEVER_MS, lifetimeMs: NEVER_MS }

const respond = (socket: Socket) => void socket.on('data', () => socket.write(RESPONSE))

describe('a connection', () => {
  let receiver: ConnectionCounter
  let sender: Sender
  beforeEach(async () => void (receiver = await startConnectionCounter(respond)))
  afterEach(async () => {
    sender.close()
    await receiver[Symbol.asyncDispose]()
  })

  const send = (to = receiver, path = 'callback', host = 'localhost') =>
    sender.send({
      url: `http://${host}:${to.port}/${path}`,
      headers: {},
      body: '{}',
      signal: new AbortController().signal,
    })

  test('carries several events, to every path of its origin', async () => {
    sender = createSender(KEPT)
    for (const path of ['a', 'b', 'a']) expect(await send(receiver, path)).toEqual(DELIVERED)
    expect(receiver.connections()).toBe(1)
  })

  test('is not used for another origin', async () => {
    sender = createSender(KEPT)
    await using other = await startConnectionCounter(respond)
    for (const to of [receiver, other, receiver, other]) expect(await send(to)).toEqual(DELIVERED)
    expect([receiver.connections(), other.connections()]).toEqual([1, 1])
  })

  test('is closed after its idle time', async () => {
    sender = createSender({ ...KEPT, idleMs: 50 })
    expect(await send()).toEqual(DELIVERED)
    await expect.poll(receiver.open, { interval: 10 }).toBe(0)
  })

  test('is closed after 4 s without an event, by default', async () => {
    const timeouts = vi.spyOn(Socket.prototype, 'setTimeout')
    onTestFinished(() => timeouts.mockRestore())
    sender = createSender({ allowLoopback: true })
    expect(await send()).toEqual(DELIVERED)
    expect(timeouts.mock.calls.at(-1)![0]).toBe(4_000)
  })

  test('is used again until its lifetime is over, counted from its first use', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.advanceTimersByTime(5_000)
    sender = createSender({ allowLoopback: true, idleMs: NEVER_MS })
    const connections: number[] = []
    for (const pauseMs of [0, 29_999, 1, 0]) {
      vi.advanceTimersByTime(pauseMs)
      expect(await send()).toEqual(DELIVERED)
      connections.push(receiver.connections())
    }
    expect(connections).toEqual([1, 1, 1, 2])
  })

  test('is closed after its lifetime; then the name is resolved again and checked', async () => {
    const responses = ['127.0.0.1', '127.0.0.1', '10.0.0.1']
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [{ address: responses.shift()!, family: 4 }])
    sender = createSender({ ...KEPT, lookup, lifetimeMs: 0 })
    expect([await send(), await send(), await send()]).toEqual([
      DELIVERED,
      DELIVERED,
      { failure: 'address not allowed' },
    ])
    expect(receiver.connections()).toBe(2)
    await expect.poll(receiver.open, { interval: 10 }).toBe(0)
  })

  test('is closed if enough other connections are idle', async () => {
    await using together = await startConnectionCounter((socket) => {
      waiting.push(socket.on('data', () => {}))
      if (waiting.length === 260) waiting.forEach((each) => each.write(RESPONSE))
    })
    const waiting: Socket[] = []
    sender = createSender(KEPT)
    // Of two origins, since Node itself keeps only 256 of one.
    const hostOf = (event: number) => (event % 2 ? 'localhost' : '127.0.0.1')
    const outcomes = await Promise.all(
      Array.from({ length: 260 }, (_, event) => send(together, 'callback', hostOf(event))),
    )
    expect(outcomes.filter((outcome) => 'status' in outcome)).toHaveLength(260)
    await expect.poll(together.open, { interval: 10 }).toBe(256)
  })
})

describe('a reused connection that the endpoint closes without a response', () => {
  /** Responds to the first event of each connection, as long as `responses` are left. */
  const startClosing = async (responses: number) => {
    let left = responses
    return startConnectionCounter((socket) => {
      let events = 0
      socket.on('data', () => (events++ === 0 && left-- > 0 ? socket.write(RESPONSE) : socket.destroy()))
    })
  }

  test.each([
    ['the event is sent again over a new connection', 2, DELIVERED],
    ['the event is sent again only once', 1, { failure: 'connection closed' }],
  ])('%s', async (_what, responses, outcome) => {
    await using closing = await startClosing(responses)
    const sender = createSender(KEPT)
    const send = () =>
      sender.send({
        url: `http://127.0.0.1:${closing.port}/`,
        headers: {},
        body: '{}',
        signal: new AbortController().signal,
      })
    expect([await send(), await send()]).toEqual([DELIVERED, outcome])
    expect(closing.connections()).toBe(2)
    sender.close()
  })

  /** Sends two events with these options to an endpoint that closes the first connection at the second. */
  async function sendTwice(options: object) {
    let connections = 0
    await using endpoint = await startConnectionCounter((socket) => {
      let events = 0
      if (++connections === 1)
        socket.on('data', () => (events++ === 0 ? socket.write(RESPONSE) : socket.destroy()))
    })
    const sender = createSender({ ...KEPT, ...options })
    onTestFinished(() => sender.close())
    const abort = new AbortController()
    const send = () => {
      const url = `http://localhost:${endpoint.port}/`
      return sender.send({ url, headers: {}, body: '{}', signal: abort.signal })
    }
    await send()
    return await Promise.race([send(), sleep(3_000, 'still open')]).finally(() => abort.abort())
  }

  test('the address of the new connection is checked again', async () => {
    const answers = ['127.0.0.1', '10.0.0.1']
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [{ address: answers.shift()!, family: 4 }])
    expect(await sendTwice({ lookup })).toEqual({ failure: 'address not allowed' })
  })

  test('the time limit holds for both connections together', async () => {
    expect(await sendTwice({ timeoutMs: 300 })).toEqual({ failure: 'time-out' })
  })
})

test.each([
  ['is no HTTP', 'nonsense\r\n\r\n', 'not HTTP'],
  [
    'switches to another protocol',
    'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n',
    'connection closed',
  ],
])(
  'over a reused connection, an event whose response %s is not sent again',
  async (_what, response, failure) => {
    let events = 0
    await using endpoint = await startConnectionCounter(
      (socket) => void socket.on('data', () => socket.write(events++ === 0 ? RESPONSE : response)),
    )
    const sender = createSender(KEPT)
    onTestFinished(() => sender.close())
    const { signal } = new AbortController()
    const send = () =>
      sender.send({ url: `http://localhost:${endpoint.port}/`, headers: {}, body: '{}', signal })
    expect([await send(), await send()]).toEqual([DELIVERED, { failure }])
    expect(events).toBe(2)
  },
)

test('an event in progress is given up when the service stops, and is not called a failure', async () => {
  await using silent = await startConnectionCounter(() => {})
  const sender = createSender(KEPT)
  onTestFinished(() => sender.close())
  const stopping = new AbortController()
  const url = `http://localhost:${silent.port}/`
  const sent = sender.send({ url, headers: {}, body: '{}', signal: stopping.signal })
  await expect.poll(silent.connections, { interval: 5 }).toBe(1)
  stopping.abort()
  await expect(sent).rejects.toThrow('This operation was aborted')
})

test('every agent connects to checked addresses only', async () => {
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(null, [{ address: '10.0.0.1', family: 4 }])
  const { kept, fresh, close } = openConnections({ allowLoopback: true, lookup })
  for (const agents of [kept, fresh])
    for (const [request, protocol] of [
      [requestHttp, 'http:'],
      [requestHttps, 'https:'],
    ] as const) {
      const agent = agents[protocol]
      const outcome = new Promise((resolve) =>
        request(`${protocol}//partner.invalid/`, { agent })
          .on('response', resolve)
          .on('error', resolve)
          .end(),
      )
      expect(await outcome).toBeInstanceOf(AddressNotAllowed)
    }
  close()
})
