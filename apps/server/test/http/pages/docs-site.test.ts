// The documentation, over small sites instead of the built ones.
import { once } from 'node:events'
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { docsSite } from '../../../src/http/pages/docs-site.ts'
import { createFillValues, unknownMarkers } from '../../../src/http/pages/docs-values.ts'
import { createByteBudget } from '../../../src/http/pages/static-response.ts'
import { createLog, logRequests } from '../../../src/http/pipeline/log.ts'
import { createSendFailure } from '../../../src/http/pipeline/send-failure.ts'
import { temporaryFolder } from '../../kit/temporary-resources.ts'

const HTML = '<p>VALUE_RESULT_TTL_SECONDS RAW_RESULT_TTL_SECONDS http://localhost:8080/api</p>'
const FILES: Record<string, string | Buffer> = {
  'index.html': 'start',
  'errors/rate_limited/index.html': HTML,
  'llms.txt': HTML,
  '404.html': '<h1>Page not found</h1>',
  '_astro/page.a1b2.js': 'code(); // VALUE_RESULT_TTL_SECONDS',
  'pagefind/en.pf_fragment': gzipSync(JSON.stringify({ content: HTML })),
}
const SETTINGS = { TIWALA_RESULT_TTL_SECONDS: '7200', TIWALA_PUBLIC_URL: "https://a'b.example" }

async function writeSite(folder: string, files = FILES): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

function fillOf(settings: Record<string, string>, index = 0) {
  const config = readConfig(settings)
  return createFillValues(config, config.listeners[index]!)
}

/** A server of the site in a temporary folder. `read` follows no redirect. */
async function serve(settings: Record<string, string> = SETTINGS, bytesPerSecond = 1e9) {
  const { path, [Symbol.asyncDispose]: remove } = await temporaryFolder()
  const fill = fillOf(settings)
  const app = express().enable('strict routing')
  app.use(logRequests(createLog('silent')))
  app.use(docsSite('any', fill, createByteBudget(bytesPerSecond), join(path, 'site')))
  app.use((_req, res) => void res.status(404).end())
  app.use(createSendFailure('http://localhost'))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    await remove()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const read = (address: string, init: RequestInit = {}) =>
    fetch(url + address, { redirect: 'manual', ...init })
  return { folder: join(path, 'site'), read }
}

test.each([
  ['1', '1 second'],
  ['90', '90 seconds'],
  ['60', '1 minute'],
  ['300', '5 minutes'],
  ['3600', '1 hour'],
  ['5000', '5,000 seconds'],
  ['7200', '2 hours'],
])('%s seconds are %s for people', (seconds, words) => {
  const fill = fillOf({ TIWALA_RESULT_TTL_SECONDS: seconds })
  for (const text of [
    'VALUE_RESULT_TTL_SECONDS seconds',
    'VALUE_RESULT_TTL_SECONDS\\nseconds',
    'VALUE_RESULT_TTL_SECONDS s',
  ])
    expect(fill(`within ${text}.`)).toBe(`within ${words}.`)
  expect(fill('sleep RAW_RESULT_TTL_SECONDS seconds')).toBe(`sleep ${seconds} seconds`)
})

test('202: before the site is built, a page that reloads itself says so; then 200', async () => {
  const { folder, read } = await serve()
  const early = await read('/docs')
  expect(['cache-control', 'refresh'].map((name) => early.headers.get(name))).toEqual(['no-store', '2'])
  expect([early.status, await early.text()]).toEqual([
    202,
    expect.stringContaining('npm run build --workspace @tiwala/docs'),
  ])
  await writeSite(folder)
  await expect.poll(async () => (await read('/docs')).status, { interval: 50 }).toBe(200)
})

test('200: another build of the site replaces the one before it', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  expect(await (await read('/docs')).text()).toBe('start')
  await writeSite(`${folder}-next`, { 'index.html': 'next' })
  await utimes(`${folder}-next`, 1, 1)
  await rename(folder, `${folder}-before`)
  await rename(`${folder}-next`, folder)
  await expect.poll(async () => (await read('/docs')).text(), { interval: 50 }).toBe('next')
  expect((await read('/docs/errors/rate_limited')).status).toBe(404)
})

test('200: a page has the values of this server, in pages, texts and search results', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  expect(await (await read('/docs/errors/rate_limited')).text()).toBe(
    '<p>7,200 7200 https://a&#39;b.example/api</p>',
  )
  expect(await (await read('/docs/llms.txt')).text()).toBe("<p>7,200 7200 https://a'b.example/api</p>")
  const fragment = Buffer.from(await (await read('/docs/pagefind/en.pf_fragment')).arrayBuffer())
  expect(JSON.parse(gunzipSync(fragment).toString())).toEqual({
    content: "<p>7,200 7200 https://a'b.example/api</p>",
  })
})

test('the address of the operator API is filled in where a page names it', async () => {
  const fill = fillOf({ TIWALA_OPERATOR_ADDRESS: '127.0.0.1:9000' })
  expect(fill('http://localhost:8080/operator/v1/keys http://localhost:8080/api')).toBe(
    'http://127.0.0.1:9000/operator/v1/keys http://localhost:8080/api',
  )
})

test('the pages of each address link to those of the same address, and errors to the public one', () => {
  const settings = { TIWALA_OPERATOR_ADDRESS: '127.0.0.1:9000', TIWALA_PUBLIC_URL: 'https://a.example' }
  const text = 'http://localhost:8080/docs/a.md http://localhost:8080/errors/not_found'
  expect([fillOf(settings)(text), fillOf(settings, 1)(text)]).toEqual([
    'https://a.example/docs/a.md https://a.example/errors/not_found',
    'http://127.0.0.1:9000/docs/a.md https://a.example/errors/not_found',
  ])
})

test('only numbers of the settings are markers', () => {
  expect(unknownMarkers('VALUE_QR_TTL_SECONDS RAW_MAX_WAIT_SECONDS OTHER_VALUE_X VALUE x')).toEqual([])
  expect(unknownMarkers('VALUE_UNKNOWN RAW_KEY_RING VALUE_TIME_ZONE')).toEqual([
    'VALUE_UNKNOWN',
    'RAW_KEY_RING',
    'VALUE_TIME_ZONE',
  ])
})

test('304, 200: a page is revalidated; a file with a hash in its name is stored for a year', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  const { headers } = await read('/docs')
  expect(headers.get('cache-control')).toBe('public, max-age=0')
  // Without the second header, `fetch` asks for a page that no cache has.
  const again = await read('/docs', {
    headers: { 'If-None-Match': headers.get('etag')!, 'Cache-Control': 'max-age=0' },
  })
  expect(again.status).toBe(304)
  const script = await read('/docs/_astro/page.a1b2.js')
  expect([script.headers.get('cache-control'), script.headers.get('content-type')]).toEqual([
    'public, max-age=31536000, immutable',
    'text/javascript; charset=utf-8',
  ])
  expect(await script.text()).toContain('VALUE_RESULT_TTL_SECONDS')
})

test('200: no script or style in a page runs, and no other origin is asked', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  expect((await read('/docs')).headers.get('content-security-policy')).toBe(
    "default-src 'self';script-src 'self' 'wasm-unsafe-eval';img-src 'self' data:;object-src 'none';" +
      "base-uri 'none';form-action 'none';frame-ancestors 'none'",
  )
})

test('302: a slash at the end is removed, once', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  for (const path of ['/docs', '/docs/errors/rate_limited']) {
    const { status, headers } = await read(`${path}/`)
    expect([status, headers.get('location'), (await read(path)).status]).toEqual([302, path, 200])
  }
})

test.each([
  '/docs/nothing',
  '/docs/nothing/',
  '/docs/index.html/',
  '/docs/..%2f..%2fpackage.json',
  '/docs/%2e%2e/package.json',
  '/docs//',
  '/docs/ERRORS/rate_limited',
  '/docs/constructor',
])('404: %s', async (path) => {
  const { folder, read } = await serve()
  await writeSite(folder)
  expect((await read(path)).status).toBe(404)
})

test('404: a browser gets a page, and a program gets JSON', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  const answer = async (accept: string, path = '/docs/nothing', method = 'GET') => {
    const response = await read(path, { method, headers: { Accept: accept } })
    const type = response.headers.get('content-type')?.split(';')[0]
    return [response.status, type, response.headers.get('cache-control')]
  }
  const page = [404, 'text/html', 'no-store']
  for (const accept of ['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8'])
    expect(await answer(accept)).toEqual(page)
  expect(await answer('text/html', '/docs/errors/nope')).toEqual(page)
  expect(await answer('text/html', '/docs/404.html')).toEqual(page)
  expect(await answer('text/html', '/docs/nothing', 'HEAD')).toEqual(page)
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5'])
    expect(await answer(accept)).toEqual([404, undefined, null])
  expect(await answer('text/html', '/docs/nothing', 'POST')).toEqual([404, undefined, null])
})

test('302: a section without a page leads to its heading on the start page', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  expect((await read('/docs/errors')).headers.get('location')).toBe('/docs#errors')
  expect((await read('/docs/errors/')).headers.get('location')).toBe('/docs/errors')
  expect((await read('/docs/pagefind')).status).toBe(404)
})

test('302: /llms.txt leads to the one of the documentation', async () => {
  const { read } = await serve()
  expect((await read('/llms.txt')).headers.get('location')).toBe('/docs/llms.txt')
})

test('503: the documentation is part of the byte budget', async () => {
  const { folder, read } = await serve(SETTINGS, 1)
  await writeSite(folder)
  expect((await read('/docs')).status).toBe(503)
})

test('404: a file that is gone with the build that had it', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  expect((await read('/docs')).status).toBe(200)
  await rm(join(folder, 'llms.txt'))
  expect((await read('/docs/llms.txt')).status).toBe(404)
})

test('200: a file is read and filled once', async () => {
  const { folder, read } = await serve()
  await writeSite(folder)
  await (await read('/docs')).text()
  await writeFile(join(folder, 'index.html'), 'changed in place')
  expect(await (await read('/docs')).text()).toBe('start')
})
