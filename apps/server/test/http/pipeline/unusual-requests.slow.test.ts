// Requests that no client of ours sends: slow, oversized, with unusual `Host` lines and targets.
import { connect } from 'node:net'
import { locate } from '@tiwala/kit/operations'
import { describe, expect, test } from 'vitest'
import { assertErrorShape, startServiceForFile } from '../../kit/api-client.ts'
import { emptyGzip } from '../../kit/empty-gzip.ts'
import { chunked, requestText, sendRaw } from '../../kit/raw-http.ts'

const { service, api } = await startServiceForFile()

const readyStatus = async () => (await fetch(`${service.url}/readyz`)).status

test.concurrent(
  'a socket that sends headers or a body a byte per second is closed (long form: stress/slowloris.test.ts)',
  { timeout: 120_000 },
  async () => {
    const trickle = (start: string) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now()
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
        socket.write(start)
        const dripping = setInterval(() => socket.write('a'), 1_000)
        socket.on('error', () => {}).resume()
        socket.on('close', () => {
          clearInterval(dripping)
          resolve((performance.now() - startedAt) / 1_000)
        })
      })
    const [headers, body] = await Promise.all([
      trickle('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
      trickle(
        requestText('POST', locate('generateToken').path, {
          'Content-Type': 'application/json',
          'Content-Length': 500,
        }),
      ),
    ])
    // The defaults of Node are 60 s for the headers and 300 s for the body.
    expect([headers < 50, body < 50, await readyStatus()]).toEqual([true, true, 200])
  },
)

test.each([
  ['announced', (body: string) => ({ 'Content-Length': body.length }), (body: string) => body],
  ['chunked', () => ({ 'Transfer-Encoding': 'chunked' }), (body: string) => `${chunked(body)}0\r\n\r\n`],
])('413: a body over 16 KiB, %s, in each of the three forms', async (_name, headers, frame) => {
  const scope = 'x'.repeat(17_000)
  const bodies = {
    'application/json': JSON.stringify({ scope }),
    'application/x-www-form-urlencoded': `scope=${scope}`,
    'multipart/form-data; boundary=b': [
      '--b',
      'Content-Disposition: form-data; name="scope"',
      '',
      scope,
      '--b--',
      '',
    ].join('\r\n'),
  }
  for (const [type, body] of Object.entries(bodies)) {
    const { response } = await sendRaw(
      service.url,
      requestText(
        'POST',
        locate('generateToken').path,
        { 'Content-Type': type, ...headers(body) },
        frame(body),
      ),
    )
    expect([type, response?.status]).toEqual([type, 413])
  }
})

test('400: headers over 8 KiB, in the common error shape', async () => {
  const { response } = await sendRaw(
    service.url,
    requestText('GET', locate('inquire').path, { 'X-Long': 'x'.repeat(8_300) }),
  )
  expect(response?.status).toBe(400)
  assertErrorShape(JSON.parse(response!.body))
})

/** Sends a request with these lines in place of its `Host` line. */
const withHostLines = (target: string, lines: string[], headers: Record<string, string> = {}) =>
  sendRaw(
    service.url,
    requestText('GET', target, headers).replace(
      'Host: localhost\r\n',
      lines.map((line) => `${line}\r\n`).join(''),
    ),
  )
const SELF = () => locate('readPartnerSelf').path

test.each([
  ['sent twice with one value', ['Host: localhost', 'Host: localhost']],
  ['sent twice with two values', ['Host: localhost', 'host: evil.example']],
  ['none', []],
  ['empty', ['Host: ']],
  ['a path', ['Host: localhost/path']],
  ['a user', ['Host: user@localhost']],
  ['a list of two', ['Host: localhost, evil.example']],
  ['a space', ['Host: local host']],
  ['a port that is no number', ['Host: localhost:http']],
  ['a port too long', ['Host: localhost:999999']],
  ['an open bracket', ['Host: [::1']],
  ['a text with letters beyond ASCII', ['Host: f\u00fcr.example']],
])('400: Host is %s, for an operation, a page and a health check', async (_name, lines) => {
  for (const target of [
    SELF(),
    '/docs',
    '/healthz',
    '/sandbox/bootstrap.json',
    `http://localhost${SELF()}`,
  ]) {
    const { response } = await withHostLines(target, lines, api.asPartner)
    expect([target, response?.status, JSON.parse(response?.body ?? '{}')]).toEqual([
      target,
      400,
      expect.objectContaining({ error: 'malformed_request' }),
    ])
  }
})

test.each([
  'localhost',
  'LOCALHOST:8080',
  '127.0.0.1:1',
  '[::1]',
  '[::ffff:127.0.0.1]:65535',
  'a_b.example.',
  'xn--fr-xka.example:',
])('200: Host %s', async (host) => {
  expect((await withHostLines(SELF(), [`Host: ${host}`], api.asPartner)).response?.status).toBe(200)
})

test('200: HTTP/1.0 without Host', async () => {
  const request = requestText('GET', SELF(), api.asPartner)
  const withoutHost = request.replace('Host: localhost\r\n', '').replace('HTTP/1.1', 'HTTP/1.0')
  expect((await sendRaw(service.url, withoutHost)).response?.status).toBe(200)
})

describe('a request target in absolute form (RFC 9112, section 3.2.2)', () => {
  const ORIGIN = 'http://any.example:8080'
  const get = async (target: string, headers: Record<string, string> = {}) =>
    (await sendRaw(service.url, requestText('GET', target, headers))).response

  test('200: gets the same response as its path, in every document and on every page', async () => {
    const { citizens } = api
    for (const [path, headers] of [
      [SELF(), api.asPartner],
      [locate('listPartners').path + '?limit=1', api.asOperator],
      [locate('listAuthorizations').path + '?limit=1', { Authorization: `Bearer ${citizens[0]!.token}` }],
      ['/healthz', {}],
      ['/docs', {}],
      ['/downloads/', {}],
    ] as const) {
      const [absolute, plain] = [await get(ORIGIN + path, headers), await get(path, headers)]
      expect([path, absolute?.status, absolute?.headers['content-type']]).toEqual([
        path,
        plain?.status,
        plain?.headers['content-type'],
      ])
    }
    expect((await get(`HTTPS://any.example${SELF()}`, api.asPartner))?.status).toBe(200)
    expect((await get(`${ORIGIN}${locate('inquire').path}?tracking_no=a:b`, api.asPartner))?.status).toBe(404)
    expect((await get(ORIGIN))?.status).toBe(200)
    expect((await get(`${ORIGIN}?x=1`))?.status).toBe(200)
  })

  test('403: the origin of a sandbox page must match the authority of the target, not Host', async () => {
    const sent = { ...api.asPartner, Host: 'page.example', Origin: 'http://page.example' }
    expect((await get(SELF(), sent))?.status).toBe(200)
    expect((await get(`http://other.example${SELF()}`, sent))?.status).toBe(403)
    expect((await get(`http://page.example${SELF()}`, { ...sent, Host: 'other.example' }))?.status).toBe(200)
  })

  test.each([
    'http://',
    'http:///docs',
    'http://user@any.example/docs',
    'http://any.example:port/docs',
    'http://[::1/docs',
    'https://a b/',
  ])('400: %s names no host', async (target) => expect((await get(target))?.status).toBe(400))

  test('404: a target with another scheme', async () => {
    expect((await get(`ftp://any.example${SELF()}`, api.asPartner))?.status).toBe(404)
  })
})

test.each([
  ['an unknown transfer coding', { 'Transfer-Encoding': 'x' }, ''],
  ['a malformed chunk', { 'Transfer-Encoding': 'chunked' }, 'no-length\r\n'],
  ['a chunk that is cut off', { 'Transfer-Encoding': 'chunked' }, '9\r\nshort'],
  ['a body that is cut off', { 'Content-Length': 9 }, 'short'],
])('a GET request with %s uses nothing up', async (_what, headers, body) => {
  const qrValue = await api.issueQrValue('share')
  const target = `${locate('profileByQr').path}?qr_value=${qrValue}`
  const text = requestText('GET', target, { ...api.asPartner, ...headers }, body)
  const { response } = await sendRaw(service.url, text, { thenEndMs: 40 })
  expect(response?.status).not.toBe(200)
  expect((await api.viewByQr(qrValue)).status).toBe(200)
})

test.each(['{}', 'GARBAGE\r\n\r\n', 'GET /readyz HTTP/9\r\n\r\n'])(
  '200: a request with %j after its end gets its own response, and then the connection is closed',
  async (garbage) => {
    const target = `${locate('profileByQr').path}?qr_value=${await api.issueQrValue('share')}`
    const text = requestText('GET', target, { ...api.asPartner, Connection: 'keep-alive' })
    const { response, closed } = await sendRaw(service.url, text + garbage)
    expect([response?.status, closed]).toEqual([200, true])
  },
)

test('200: the body of a GET request is ignored, up to 64 KiB, of any type and encoding', async () => {
  const headers = {
    ...api.asPartner,
    'Content-Type': 'text/x',
    'Content-Encoding': 'x',
    'Content-Length': 65_536,
  }
  const text = requestText('GET', SELF(), headers, 'x'.repeat(65_536))
  expect((await sendRaw(service.url, text)).response?.status).toBe(200)
})

test('400: the body of a GET request has no end', async () => {
  const headers = { ...api.asPartner, 'Transfer-Encoding': 'chunked' }
  const text = requestText('GET', SELF(), headers, chunked('x'.repeat(65_537)))
  const { response } = await sendRaw(service.url, text, { timeoutMs: 10_000 })
  expect(response).toMatchObject({ status: 400, body: expect.stringContaining('larger than 64 KiB') })
})

const generateToken = locate('generateToken')

test.each([
  [generateToken.path, 'application/json'],
  [generateToken.path, 'application/x-www-form-urlencoded'],
  [generateToken.path, 'text/plain'],
  ['/sandbox/inbox', 'application/json'],
])('413: a compressed body has no end, and contains nothing (%s, %s)', async (path, type) => {
  const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' }
  const part = emptyGzip(20_000)
  const head = requestText('POST', path, headers) + `${part.length.toString(16)}\r\n`
  const text = Buffer.concat([Buffer.from(head), part])
  expect((await sendRaw(service.url, text, { timeoutMs: 10_000 })).response?.status).toBe(413)
})

test('404: the path of an operation with a slash at its end', async () => {
  const { method, path } = locate('inquire')
  const response = await fetch(`${service.url}${path}/`, { method })
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([404, 'not_found'])
})

test.each([
  '//api/pub/inquire',
  '/api//pub/inquire',
  '//operator/v1/partners',
  '///',
  '//tiwala.example/api',
])('404: %s has a double slash, which the message names', async (target) => {
  const { response } = await sendRaw(service.url, requestText('GET', target, api.asPartner))
  expect(response).toMatchObject({
    status: 404,
    body: expect.stringContaining('no double and no trailing slash'),
  })
})

test.concurrent.each([
  ['the headers', `POST ${generateToken.path} HTTP/1.1\r\nHost: x\r\n`],
  [
    'the body',
    requestText(
      'POST',
      generateToken.path,
      { 'Content-Type': 'application/json', 'Content-Length': 9 },
      'short',
    ),
  ],
])('400: the message says that %s did not arrive within 5 s', async (_part, text) => {
  const { response } = await sendRaw(service.url, text, { timeoutMs: 10_000 })
  expect(response?.status).toBe(400)
  expect(JSON.parse(response!.body)).toMatchObject({
    error: 'malformed_request',
    message: 'The request did not arrive within 5 seconds',
  })
})
