// A response may come before the body was read. The rest of the body is read, but not without end.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { createHttpServer } from '../../../src/http/process/http-server.ts'

/** As many parts of a body are read after the response. */
const MAX_PARTS = 256
const REQUEST = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunks = (count: number) => '1\r\nx\r\n'.repeat(count)
const END = '0\r\n\r\n'

/** A server that reads no body, and a client that has the response to its first request. */
async function request() {
  const app = express().use((_req, res) => void res.end('early'))
  const server = createHttpServer(app, readConfig({}))
  const onTimeout = vi.fn()
  server.on('clientError', onTimeout)
  onTestFinished(() => (server.close(), server.closeAllConnections()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.write(REQUEST)
  await once(client, 'data')
  return { client, onTimeout }
}

test('the next request of the connection gets its response', async () => {
  const { client } = await request()
  client.write(chunks(MAX_PARTS - 1) + END + REQUEST + END)
  expect(String((await once(client, 'data'))[0])).toContain('early')
  client.end()
})

test('beyond the limit, the connection is closed', async () => {
  const { client, onTimeout } = await request()
  client.write(chunks(MAX_PARTS + 1))
  await buffer(client).catch(() => {})
  expect(onTimeout).not.toHaveBeenCalled()
})
