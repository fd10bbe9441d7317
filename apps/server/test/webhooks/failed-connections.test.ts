// Each cause for which no response arrives has an outcome of its own, so that an administrator can tell a
// partner what to correct.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/testing/start-service.ts'
import { createSender } from '../../src/webhooks/send.ts'
import { startConnectionCounter } from '../kit/connection-counter.ts'
import { temporaryFolder } from '../kit/temporary-resources.ts'

async function outcomeOf(url: string, lookup?: LookupFunction) {
  const { send, close } = createSender({ allowLoopback: true, ...(lookup && { lookup }) })
  onTestFinished(close)
  return send({ url, headers: {}, body: '{}', signal: new AbortController().signal })
}

/** An https server whose certificate has this name, and is signed by itself. */
async function startSelfSigned(name: string): Promise<number> {
  await using folder = await temporaryFolder()
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const newKey = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  execFileSync('openssl', ['req', ...newKey, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_req, res) => res.end())
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
