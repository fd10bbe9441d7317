import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPartnerClient, createSsoClient } from '@tiwala/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../kit/test-service.ts'

const SECRETS = { secretCode: 'twc_code', secretToken: 'twt_token' }

describe('responses that are not from the service', () => {
  let server: Server
  let respond: RequestListener
  const asked: IncomingMessage[] = []
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = (timeoutMs?: number) =>
    createPartnerClient({ baseUrl: url(), ...SECRETS, ...(timeoutMs !== undefined && { timeoutMs }) })
  beforeAll(async () => {
    server = createServer((req, res) => {
      asked.push(req)
      respond(req, res)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  afterEach(() => void (asked.length = 0))

  const never: RequestListener = () => {}
  const UNEXPECTED = { name: 'TiwalaError', code: 'unexpected_answer', fields: {}, requestId: undefined }

  test.each([
    { what: 'HTML with 502', status: 502, body: '<h1>Bad gateway</h1>' },
    { what: 'JSON of another shape with 503', status: 503, body: '{"error":"overloaded"}' },
    { what: 'nothing with 404', status: 404, body: '' },
    { what: 'HTML with 200', status: 200, body: '<h1>Please sign in to this network</h1>' },
    { what: 'nothing with 200', status: 200, body: '' },
  ])('unexpected_answer: $what', async ({ status, body }) => {
    respond = (_req, res) => void res.writeHead(status, { 'Content-Type': 'text/html' }).end(body)
    expect(await refusal(client().inquire('x'))).toMatchObject({
      ...UNEXPECTED,
      status,
      message: `The response is not from the service (HTTP ${status}). Check the address and the proxy.`,
    })
  })

  test('unexpected_answer: Retry-After with a date is not read as seconds', async () => {
    respond = (_req, res) => void res.writeHead(503, { 'Retry-After': 'Wed, 21 Oct 2026 07:28:00 GMT' }).end()
    expect(await refusal(client().inquire('x'))).toMatchObject({
      ...UNEXPECTED,
      status: 503,
      retryAfterSeconds: undefined,
      helpUrl: undefined,
    })
  })

  test('unexpected_answer: a redirect is not followed, so no other server gets secrets', async () => {
    respond = (_req, res) => void res.writeHead(307, { Location: `${url()}/elsewhere` }).end()
    expect(await refusal(client().requestAuthorization('x'))).toMatchObject({ ...UNEXPECTED, status: 307 })
    expect(asked.map((req) => req.url)).not.toContain('/elsewhere')
  })

  test("connection refused: the platform's error, not a TiwalaError", async () => {
    const unreachable = createPartnerClient({ baseUrl: 'http://127.0.0.1:1', ...SECRETS })
    await expect(unreachable.inquire('x')).rejects.toThrow(TypeError)
  })

  test("the connection breaks: the platform's error, not a TiwalaError", async () => {
    respond = (req) => void req.socket.destroy()
    await expect(client().inquire('x')).rejects.toThrow(TypeError)
  })

  test('timeoutMs: no response in time', async () => {
    respond = never
    await expect(client(50).inquire('x')).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('timeoutMs: a response that does not end', async () => {
    respond = (_req, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
    await expect(client(50).inquire('x')).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  test('timeoutMs: starts after the requested wait', async () => {
    respond = (_req, res) => void setTimeout(() => res.writeHead(404).end(), 200)
    await expect(client(50).inquire('x')).rejects.toMatchObject({ name: 'TimeoutError' })
    expect((await refusal(client(50).inquire('x', { waitSeconds: 1 }))).status).toBe(404)
    expect(asked.map(({ headers }) => headers['prefer'])).toEqual([undefined, 'wait=1'])
  })

  test('signal: aborted while waiting', async () => {
    const caller = new AbortController()
    respond = () => caller.abort()
    await expect(client().inquire('x', { signal: caller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  test('signal: aborted before, nothing is sent', async () => {
    respond = never
    await expect(client().inquire('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(asked).toEqual([])
  })

  test('signal: signIn sends no second request', async () => {
    const caller = new AbortController()
    respond = (_req, res) => void res.end('{"access_token":"token"}', () => caller.abort())
    const sso = createSsoClient({ authUrl: url(), partnerCode: 'CODE', partnerSecret: 'secret' })
    await expect(sso.signIn('code', { signal: caller.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toHaveLength(1)
  })
})
