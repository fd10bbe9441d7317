// Each cause for which no response arrives has an outcome of its own, so that an administrator can tell a
// partner what to correct.
import { createServer, request } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/testing/start-service.ts'
import { openConnections } from '../../src/webhooks/connections.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'
import { createSelfSigned } from '../kit/self-signed.ts'

async function outcomeOf(url: string, lookup?: LookupFunction, timeoutMs = 15_000) {
  const { send, close } = createSender({ allowLoopback: true, timeoutMs, ...(lookup && { lookup }) })
  onTestFinished(close)
  return send({ url, headers: {}, body: '{}', signal: new AbortController().signal })
}

/** An https server whose certificate has this name, and is signed by itself. */
async function startSelfSigned(name: string): Promise<number> {
  const server = createServer(await createSelfSigned(name), (_req, res) => res.end())
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

test.each(['localhost', 'other.example'])('a self-signed certificate of %s', async (name) => {
  const url = `https://localhost:${await startSelfSigned(name)}/`
  expect(await outcomeOf(url)).toEqual({ failure: 'certificate not valid' })
})

test('a server without TLS', async () => {
  await using plain = await startConnectionCounter((socket) => void socket.end('HTTP/1.1 400 Bad\r\n\r\n'))
  expect(await outcomeOf(`https://localhost:${plain.port}/`)).toEqual({ failure: 'TLS failed' })
})

test('a server that closes the connection before TLS is there', async () => {
  await using closing = await startConnectionCounter()
  expect(await outcomeOf(`https://localhost:${closing.port}/`)).toEqual({ failure: 'connection closed' })
})

test.each(['http', 'https'])('a port on which no program listens, by %s', async (scheme) => {
  const url = `${scheme}://localhost:${await freePort()}/`
  expect(await outcomeOf(url)).toEqual({ failure: 'connection refused' })
})

test('a name that DNS does not know', async () => {
  expect(await outcomeOf('https://callbacks.invalid/')).toEqual({ failure: 'host not found' })
})

test('a server that does not begin TLS', async () => {
  await using silent = await startConnectionCounter((socket) => void socket.resume())
  const url = `https://localhost:${silent.port}/`
  expect(await outcomeOf(url, undefined, 300)).toEqual({ failure: 'time-out' })
  await expect.poll(silent.open, { interval: 10 }).toBe(0)
})

test('a look-up that does not end', async () => {
  expect(await outcomeOf('https://partner.example/', () => {}, 300)).toEqual({ failure: 'time-out' })
})

test('names are looked up without the system, which has two threads for all', async () => {
  const { kept, close } = openConnections({ allowLoopback: true })
  onTestFinished(close)
  const error = new Promise((resolve) =>
    request('https://callbacks.invalid/', { agent: kept['https:'] }).on('error', resolve).end(),
  )
  expect(await error).toMatchObject({ syscall: 'queryA' })
})

const failing = (error: object): LookupFunction => {
  return (_name, _options, done) => done(Object.assign(new Error('failed'), error), '')
}

test.each([
  ['no connection', 'a network that cannot be reached', { code: 'ENETUNREACH' }],
  ['no connection', 'an error without a code', {}],
  ['time-out', 'a connection that the system gave up', { code: 'ETIMEDOUT' }],
  ['host not found', 'a resolver that does not answer', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
  [
    'connection refused',
    'several addresses, of which one refuses',
    { code: 'ENETUNREACH', errors: [{ code: 'ENETUNREACH' }, { code: 'ECONNREFUSED' }] },
  ],
])('%s: %s', async (failure, _what, error) => {
  expect(await outcomeOf('https://partner.example/', failing(error))).toEqual({ failure })
})
