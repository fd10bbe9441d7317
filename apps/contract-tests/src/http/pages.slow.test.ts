// The routes without credentials: caching, compression and cross-origin access.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { documents } from '../contract-check/documents.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()

type Received = { status: number; headers: Record<string, string | undefined>; body: Buffer }

/** Sends again after `429`: the service limits how many bytes of pages it sends in a second. */
async function send(...wanted: Parameters<typeof sendOnce>): Promise<Received> {
  const received = await sendOnce(...wanted)
  if (received.status !== 429) return received
  await setTimeout(Number(received.headers['retry-after']) * 1000)
  return send(...wanted)
}

/** A request without `fetch`, which would choose an encoding and decode it. */
function sendOnce(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<Received>((resolve, reject) => {
    const outgoing = request(service.url + path, { method, headers, agent: false }, (incoming) => {
      const received = incoming.headers as Record<string, string | undefined>
      buffer(incoming).then(
        (body) => resolve({ status: incoming.statusCode!, headers: received, body }),
        reject,
      )
    })
    outgoing.on('error', reject).end()
  })
}

const HTML = 'text/html; charset=utf-8'
const REVALIDATED = 'public, max-age=0'
const COMPRESSIBLE: [path: string, type: string, cacheControl: string][] = [
  ['/', HTML, REVALIDATED],
  ['/downloads/', HTML, REVALIDATED],
  ['/downloads/index.json', 'application/json; charset=utf-8', REVALIDATED],
  ...Object.keys(documents).flatMap((name): [string, string, string][] => [
    [`/openapi/${name}.json`, 'application/json; charset=utf-8', 'public, max-age=300'],
    [`/openapi/${name}.yaml`, 'application/yaml', 'public, max-age=300'],
  ]),
  ['/openapi/partner-3.0.json', 'application/json; charset=utf-8', 'public, max-age=300'],
  ['/openapi/partner-3.0-headers.json', 'application/json; charset=utf-8', 'public, max-age=300'],
  ['/openapi/partner.postman_collection.json', 'application/json; charset=utf-8', 'public, max-age=300'],
  ['/openapi/partner.http', 'text/plain; charset=utf-8', 'public, max-age=300'],
]
const PLAIN: [path: string, type: string, cacheControl: string][] = [
  ['/index', HTML, REVALIDATED],
  ['/page.css', 'text/css; charset=utf-8', REVALIDATED],
  ['/icon.svg', 'image/svg+xml', REVALIDATED],
  ['/downloads/tiwala-client.tgz', 'application/gzip', REVALIDATED],
]

describe.each([...COMPRESSIBLE, ...PLAIN])('%s', (path, type, cacheControl) => {
  test('200: the type, ETag and caching headers; 304 for a matching ETag; HEAD has no body', async () => {
    const whole = await send(path)
    expect(whole).toMatchObject({
      status: 200,
      headers: { 'content-type': type, 'cache-control': cacheControl },
    })
    expect(whole.headers['content-length']).toBe(String(whole.body.length))
    const etag = whole.headers['etag']!
    expect(etag).toBe(`"${createHash('sha256').update(whole.body).digest('base64url').slice(0, 22)}"`)

    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const unchanged = await send(path, { 'If-None-Match': condition })
      expect([condition, unchanged.status, unchanged.body.length]).toEqual([condition, 304, 0])
      expect(unchanged.headers).toMatchObject({ etag, 'cache-control': cacheControl })
    }
    expect((await send(path, { 'If-None-Match': '"other"' })).status).toBe(200)

    const head = await send(path, {}, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    const { date: _then, 'x-request-id': _one, traceparent: _trace, ...same } = whole.headers
    expect(head.headers).toMatchObject(same)
  })
})

describe.each(COMPRESSIBLE)('%s', (path) => {
  // Loaded once, because the service limits how many bytes of pages it sends in a second.
  let plain: Awaited<ReturnType<typeof send>>
  beforeAll(async () => void (plain = await send(path)))

  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['*', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0, br;q=0', undefined],
    ['zstd, deflate', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0', undefined],
    ['identity;q=0, *', 'br'],
    ['identity;q=0, zstd, *;q=0', undefined],
    ['', undefined],
  ])('200: Accept-Encoding "%s": %s', async (accepted, encoding) => {
    const response = await send(path, { 'Accept-Encoding': accepted })
    expect([response.status, response.headers['content-encoding'], response.headers['vary']]).toEqual([
      200,
      encoding,
      'Accept-Encoding',
    ])
    const decode = { gzip: gunzipSync, br: brotliDecompressSync, identity: (bytes: Buffer) => bytes }[
      encoding ?? 'identity'
    ]!
    expect(decode(response.body).equals(plain.body)).toBe(true)
    if (!encoding) return
    expect(response.body.length).toBeLessThan(plain.body.length)
    expect(response.headers['etag']).not.toBe(plain.headers['etag'])
    const unchanged = await send(path, {
      'Accept-Encoding': accepted,
      'If-None-Match': response.headers['etag']!,
    })
    expect([unchanged.status, unchanged.headers['content-encoding'], unchanged.headers['vary']]).toEqual([
      304,
      undefined,
      'Accept-Encoding',
    ])
  })
})

describe.each(Object.keys(documents))('the document %s', (name) => {
  test('200: every origin may read the document, and it holds the address of this server', async () => {
    const json = await send(`/openapi/${name}.json`, { Origin: 'https://editor.example' })
    expect(json.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(json.headers).not.toHaveProperty('access-control-allow-credentials')
    const document = JSON.parse(json.body.toString()) as { servers: { url: string }[] }
    expect(document.servers[0]!.url).toContain(service.url)
    expect(json.body.toString()).not.toContain('http://localhost:8080')
    const yaml = await send(`/openapi/${name}.yaml`, { Origin: 'https://editor.example' })
    expect([yaml.headers['access-control-allow-origin'], yaml.body.toString().split('\n')[0]]).toEqual([
      '*',
      'openapi: 3.1.0',
    ])
    expect(yaml.body.toString()).not.toContain('http://localhost:8080')
  })
})

test.each([
  '/',
  '/docs',
  '/sandbox/bootstrap.json',
  '/sandbox/inbox.json',
  '/downloads/tiwala-client.tgz',
  '/healthz',
])('no page of another origin may read %s', async (path) => {
  const { headers } = await send(path, { Origin: 'https://shop.example' })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  expect(headers['cross-origin-resource-policy']).toBe('same-origin')
})

test.each([
  '/downloads/..%2fbuild.ts',
  '/downloads/unheard-of.tgz',
  '/docs.css',
  '/openapi/x.json',
  '/PAGE.css',
  '/errors/',
  '/errors/unheard_of',
  '/errors/constructor',
  '/errors/RATE_LIMITED',
])('404: %s', async (path) => expect((await send(path)).status).toBe(404))
test.each(['/docs', '/openapi/partner.json', '/errors'])('404: POST %s', async (path) =>
  expect((await send(path, {}, 'POST')).status).toBe(404),
)
test('302: /downloads redirects to /downloads/', async () => {
  const { status, headers } = await send('/downloads')
  expect([status, headers['location']]).toEqual([302, '/downloads/'])
})
