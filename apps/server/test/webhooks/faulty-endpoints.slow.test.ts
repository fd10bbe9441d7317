// Endpoints with faulty responses. Each attempt ends in time, with a correct outcome, without leaking a
// connection or memory.
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSender, type SendResult } from '../../src/webhooks/send.ts'
import { startConnectionCounter, type ConnectionCounter } from '../kit/connection-counter.ts'
import { createSelfSigned } from '../kit/self-signed.ts'

/** A busy machine needs less for a response. */
const TIMEOUT_MS = 3_000
/** For endpoints that make an attempt time out. */
const SHORT_TIMEOUT_MS = 300
const HEAD = 'HTTP/1.1 200 OK\r\n'
const FINAL = 'HTTP/1.1 204 No Content\r\n\r\n'
const KIBIBYTE = 'x'.repeat(1024)

const CLOSED = { failure: 'connection closed' }
const NOT_HTTP = { failure: 'not HTTP' }
const TOO_LARGE = { failure: 'headers too large' }
const TIMED_OUT = { failure: 'time-out' }
const status = (code: number, retryAfterSeconds?: number): SendResult => ({ status: code, retryAfterSeconds })

const openSender = (options: Partial<Parameters<typeof createSender>[0]> = {}) =>
  createSender({ allowLoopback: true, timeoutMs: TIMEOUT_MS, ...options })

const EVENT = {
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
  signal: new AbortController().signal,
}

const post = ({ port }: ConnectionCounter, { send } = openSender()) =>
  send({ ...EVENT, url: `http://127.0.0.1:${port}/callback` })

const sendText = (text: string) => (socket: Socket) => void socket.once('data', () => socket.write(text))

/** Writes one character at a time until the connection is closed. */
async function sendSlowly(socket: Socket, text: string) {
  for (let at = 0; !socket.destroyed; at++) {
    socket.write(text[at % text.length]!)
    await sleep(10)
  }
}

/** Writes as fast as the other side reads, until the connection is closed. */
function sendEndlessly(socket: Socket, text: string) {
  while (!socket.destroyed && socket.write(text));
  socket.once('drain', () => sendEndlessly(socket, text))
}

const faulty: [what: string, response: (socket: Socket) => void, outcome: SendResult][] = [
  ['closes at once', (socket) => void socket.destroy(), CLOSED],
  ['closes after it has read the event', (socket) => void socket.once('data', () => socket.end()), CLOSED],
  ['resets the connection', (socket) => void socket.once('data', () => socket.resetAndDestroy()), CLOSED],
  ['uses another protocol', sendText('SSH-2.0-OpenSSH_9.2\r\n'), NOT_HTTP],
  ['uses HTTP/0.9', sendText('<html>thanks'), NOT_HTTP],
  ['uses HTTP/2', sendText('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), NOT_HTTP],
  [
    'sends a contradictory body length',
    sendText(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    NOT_HTTP,
  ],
  [
    'sends 63 KB of headers',
    sendText(`${HEAD}${`Set-Cookie: ${KIBIBYTE}\r\n`.repeat(62)}Content-Length: 0\r\n\r\n`),
    status(200),
  ],
  ['sends 100 KB of headers', sendText(`${HEAD}X: ${KIBIBYTE.repeat(100)}\r\n\r\n`), TOO_LARGE],
  ['never ends its headers', (socket) => sendEndlessly(socket, `${HEAD}X: ${KIBIBYTE}`), TOO_LARGE],
  [
    'switches to another protocol',
    sendText('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    CLOSED,
  ],
  ['never responds', (socket) => void socket.resume(), TIMED_OUT],
  [
    'sends 100 Continue again and again',
    (socket) => void sendSlowly(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
    TIMED_OUT,
  ],
  [
    'sends interim responses without end',
    (socket) => sendEndlessly(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'),
    TOO_LARGE,
  ],
  [
    'responds with one character at a time',
    (socket) => void sendSlowly(socket, `${HEAD}X-Patience: ${KIBIBYTE}`),
    TIMED_OUT,
  ],
  ['sends a body without end', (socket) => sendEndlessly(socket, `${HEAD}\r\n${KIBIBYTE}`), status(200)],
  [
    'sends a chunked body without end',
    (socket) => sendEndlessly(socket, `${HEAD}Transfer-Encoding: chunked\r\n\r\n400\r\n${KIBIBYTE}\r\n`),
    status(200),
  ],
  [
    'sends trailers without end',
    (socket) =>
      sendEndlessly(socket, `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(200)}`),
    status(200),
  ],
  [
    'sends a body with one character at a time',
    (socket) => void (socket.write(`${HEAD}Content-Length: 4000\r\n\r\n`), sendSlowly(socket, KIBIBYTE)),
    status(200),
  ],
  [
    'responds twice',
    sendText(`${HEAD}Content-Length: 0\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n`),
    status(200),
  ],
  [
    'sends an early hint',
    sendText('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'),
    status(204),
  ],
  [
    'closes within its body',
    (socket) => void socket.once('data', () => socket.end(`${HEAD}Content-Length: 100\r\n\r\nx`)),
    status(200),
  ],
]

const plain: [line: string, header: string, outcome: SendResult][] = [
  ['204 No Content', '', status(204)],
  ['410 Gone', '', status(410)],
  ['429 Too Many Requests', 'Retry-After: 120\r\n', status(429, 120)],
  ['503 Service Unavailable', 'Retry-After: 0\r\n', status(503, 0)],
  ['503 Service Unavailable', 'Retry-After: -5\r\n', status(503)],
  ['503 Service Unavailable', 'Retry-After: 1e9\r\n', status(503)],
  ['503 Service Unavailable', 'Retry-After: 99999999999999999999\r\n', status(503, 1e20)],
  [
    '503 Service Unavailable',
    'Date: Sun, 06 Nov 2033 08:49:30 GMT\r\nRetry-After: Sun Nov  6 08:51:30 2033\r\n',
    status(503, 120),
  ],
  ['503 Service Unavailable', 'Retry-After: soon\r\n', status(503)],
]

describe('an attempt ends when the endpoint', () => {
  test.each(faulty)('%s', async (_what, response, outcome) => {
    await using receiver = await startConnectionCounter(response)
    const timeoutMs = outcome === TIMED_OUT ? SHORT_TIMEOUT_MS : TIMEOUT_MS
    expect(await post(receiver, openSender({ timeoutMs }))).toEqual(outcome)
    await expect.poll(receiver.open, { interval: 10, timeout: 20_000 }).toBe(0)
  })

  test.each(plain)('responds with %s, %j', async (line, header, outcome) => {
    await using receiver = await startConnectionCounter(
      sendText(`HTTP/1.1 ${line}\r\n${header}Content-Length: 0\r\n\r\n`),
    )
    const sender = openSender()
    expect(await post(receiver, sender)).toEqual(outcome)
    sender.close()
    await expect.poll(receiver.open).toBe(0)
  })

  test.each([301, 302, 303, 307, 308])(
    'responds with a redirect (%d), which is not followed',
    async (code) => {
      await using elsewhere = await startConnectionCounter()
      const location = `http://127.0.0.1:${elsewhere.port}/`
      await using receiver = await startConnectionCounter(
        sendText(`HTTP/1.1 ${code} Elsewhere\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
      )
      expect([await post(receiver), receiver.connections(), elsewhere.connections()]).toEqual([
        status(code),
        1,
        0,
      ])
    },
  )

  test('a body that does not end soon after the status is not read to its end', async () => {
    await using receiver = await startConnectionCounter(sendText(`${HEAD}Content-Length: 4000\r\n\r\n`))
    expect(await post(receiver, openSender({ timeoutMs: 60_000 }))).toEqual(status(200))
    await expect.poll(receiver.open, { interval: 10, timeout: 20_000 }).toBe(0)
  }, 30_000)

  test('no memory is leaked, however much an endpoint sends', async () => {
    const floods = faulty.filter(([what]) => /without end|headers|switches/.test(what))
    const attack = () =>
      Promise.all(
        floods.map(async ([, response]) => {
          await using receiver = await startConnectionCounter(response)
          for (let time = 0; time < 10; time++) await post(receiver)
        }),
      )
    const usedMiB = () => (
      globalThis.gc!(),
      (({ heapUsed, external }) => (heapUsed + external) / 2 ** 20)(process.memoryUsage())
    )
    await attack()
    const before = usedMiB()
    await attack()
    expect(usedMiB() - before).toBeLessThan(3)
  })
})

describe('of the bytes that an endpoint sends, an attempt reads at most', () => {
  // The timer that limits the time of the body never runs, so only the number of bytes counts.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Two events to an endpoint that responds so to each. A connection that was cut off is not used again. */
  async function sendTwice(response: string) {
    await using receiver = await startConnectionCounter(
      (socket) => void socket.on('data', () => socket.write(response)),
    )
    const sender = openSender({ timeoutMs: 60_000 })
    onTestFinished(() => sender.close())
    const outcomes = [await post(receiver, sender), await post(receiver, sender)]
    return { outcomes, connections: receiver.connections() }
  }
  const twice = (outcome: SendResult, connections: number) => ({ outcomes: [outcome, outcome], connections })

  test.each([
    [4096, 1],
    [4097, 2],
  ])('4096 bytes of a body (here %d)', async (bytes, connections) => {
    const response = `${HEAD}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`
    expect(await sendTwice(response)).toEqual(twice(status(200), connections))
  })

  const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n'
  test.each([
    [128 * 1024 - INTERIM.length, status(204), 1],
    // The status is known if it is in the last part that was read.
    [128 * 1024 + INTERIM.length, expect.anything(), 2],
    [2 * 128 * 1024, TOO_LARGE, 2],
  ])('128 KiB of all responses (here about %d bytes)', async (bytes, outcome, connections) => {
    const count = Math.floor((bytes - FINAL.length) / INTERIM.length)
    expect(await sendTwice(INTERIM.repeat(count) + FINAL)).toEqual(twice(outcome, connections))
  })
})

/** An https server that this process trusts. */
async function startTrusted(respond: (socket: Socket) => void) {
  const { key, cert } = await createSelfSigned('localhost')
  const trusted = getCACertificates()
  setDefaultCACertificates([cert])
  const sockets = new Set<Socket>()
  const server = createServer({ key, cert }, (socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    respond(socket)
  })
  onTestFinished(() => {
    setDefaultCACertificates(trusted)
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve))
  return { port: (server.address() as AddressInfo).port, open: () => sockets.size }
}

test.each([
  [100, 1, status(204)],
  [10_000, 1, TOO_LARGE],
  [10_000, 10_000, status(204)],
])('TLS counts, too: a header of %d bytes in records of %d bytes', async (bytes, ofRecord, outcome) => {
  const text = `HTTP/1.1 204 No Content\r\nX: ${'x'.repeat(bytes)}\r\n\r\n`
  const { port } = await startTrusted((socket) => {
    const write = (at: number) => {
      if (at < text.length && !socket.destroyed)
        socket.write(text.slice(at, at + ofRecord), () => write(at + ofRecord))
    }
    socket.once('data', () => write(0))
  })
  const { send, close } = openSender({ timeoutMs: 60_000 })
  onTestFinished(close)
  expect(await send({ ...EVENT, url: `https://localhost:${port}/` })).toEqual(outcome)
})

test('a kept connection is closed when it brings bytes between events', async () => {
  const sockets: Socket[] = []
  await using receiver = await startConnectionCounter((socket) => {
    sockets.push(socket)
    socket.once('data', () => socket.write(FINAL))
  })
  const sender = openSender({ timeoutMs: 60_000, idleMs: 60_000 })
  onTestFinished(() => sender.close())
  expect(await post(receiver, sender)).toEqual(status(204))
  sockets[0]!.write('x')
  await expect.poll(receiver.open, { interval: 10, timeout: 20_000 }).toBe(0)
})
