// Connections of clients that do not read, or send nothing, take nothing from others for ever.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express, { type RequestHandler } from 'express'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { sendStream } from '../../../src/http/pipeline/reply.ts'
import { createHttpServer } from '../../../src/http/process/http-server.ts'

/** As long as a connection may have unsent bytes. */
const UNREAD_MS = 60_000
const MEGABYTE = 'x'.repeat(2 ** 20)
/** More than the kernel takes. */
const LARGE = MEGABYTE.repeat(32)

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterEach(() => void vi.useRealTimers())

async function listen(handler: RequestHandler): Promise<{ server: Server; open: () => number }> {
  const app = express().use(handler)
  const server = createHttpServer(app, readConfig({}))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  onTestFinished(() => (server.close(), server.closeAllConnections()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, open: () => sockets.size }
}

async function request(server: Server, requests = 1): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  onTestFinished(() => void client.destroy())
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requests))
  await once(server, 'request')
  return client
}

async function* endless(): AsyncGenerator<string> {
  for (;;) yield MEGABYTE
}

const large: RequestHandler = (_req, res) => void res.end(LARGE)
const stream: RequestHandler = (_req, res) => sendStream(res, { status: 200, stream: endless() })

test.each([
  ['a large response', large, 1],
  ['several responses', large, 3],
  ['an event stream', stream, 1],
])('a connection whose client does not read %s is closed', async (_what, handler, requests) => {
  const { server, open } = await listen(handler)
  await request(server, requests)
  await vi.advanceTimersByTimeAsync(UNREAD_MS)
  expect(open()).toBe(1)
  await vi.advanceTimersByTimeAsync(UNREAD_MS / 4)
  await expect.poll(open, { interval: 10 }).toBe(0)
})

test('what an event stream holds is released with its connection', async () => {
  let isReleased = false
  async function* held() {
    try {
      yield* endless()
    } finally {
      isReleased = true
    }
  }
  const { server } = await listen((_req, res) => sendStream(res, { status: 200, stream: held() }))
  await request(server)
  await vi.advanceTimersByTimeAsync(2 * UNREAD_MS)
  await expect.poll(() => isReleased, { interval: 10 }).toBe(true)
})

test('a connection stays open if its client reads in time', async () => {
  const { server, open } = await listen(large)
  let socket: Socket | undefined
  server.once('connection', (connected) => (socket = connected))
  const client = await request(server)
  await vi.advanceTimersByTimeAsync(UNREAD_MS)
  expect(socket!.writableLength).toBeGreaterThan(0)
  client.resume()
  await expect.poll(() => socket!.writableLength, { interval: 10, timeout: 20_000 }).toBe(0)
  await vi.advanceTimersByTimeAsync(10 * UNREAD_MS)
  expect(open()).toBe(1)
  // The next response has the whole time again.
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(server, 'request')
  await vi.advanceTimersByTimeAsync(UNREAD_MS)
  expect(open()).toBe(1)
})

test('idle connections do not keep new clients out', async () => {
  const { server, open } = await listen((_req, res) => void res.end('ok'))
  server.maxConnections = 2
  await once(await request(server), 'readable')
  await once(await request(server), 'readable')
  expect(open()).toBe(2)
  const refused = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  await once(refused.resume(), 'close')
  await expect.poll(open, { interval: 10 }).toBe(0)
  await once(await request(server), 'readable')
})
