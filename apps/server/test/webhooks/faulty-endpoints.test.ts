// Endpoints with faulty responses. Each attempt ends in time, with a correct outcome, without leaking a
// connection or memory.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSender, type SendResult } from '../../src/webhooks/send.ts'
import { startConnectionCounter, type ConnectionCounter } from '../kit/connection-counter.ts'

/** A busy machine needs less for a response. */
const TIMEOUT_MS = 3_000
/** For endpoints that make an attempt time out. */
const SHORT_TIMEOUT_MS = 300
const HEAD = 'HTTP/1.1 200 OK\r\n'
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

  test('the connection is closed when enough of an endless body was read', async () => {
    // The timer that limits the time of the body never runs, so only its size ends the attempt.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await using receiver = await startConnectionCounter((socket) =>
      sendEndlessly(socket, `${HEAD}\r\n${KIBIBYTE}`),
    )
    expect(await post(receiver, openSender({ timeoutMs: 60_000 }))).toEqual(status(200))
    await expect.poll(receiver.open, { interval: 10, timeout: 20_000 }).toBe(0)
  }, 30_000)

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
