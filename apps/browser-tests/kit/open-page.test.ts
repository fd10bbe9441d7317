// Each problem of a page that must fail a test, on pages that have it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, openUnwatchedPage, PHONE, watch } from './open-page.ts'
import { axeFindings, pageGzipBytes, sidewaysScrolling } from './page-checks.ts'

const STYLE = '.wide { width: 2000px } .pale { color: #ccc }'
const PAGES: Record<string, string> = {
  '/faultless': '<p>Hello</p>',
  '/console-error': '<script src="/console-error.js"></script>',
  '/console-error.js': 'console.error("wrong")',
  '/exception': '<script src="/exception.js"></script>',
  '/exception.js': 'throw new Error("unexpected")',
  '/inline-script': '<script>document.title = "set"</script>',
  '/inline-style': '<p style="color: red">Hello</p>',
  '/external': '<img alt="" src="http://other.example/pixel.png">',
  '/missing': '<img alt="" src="/nothing.png">',
  '/wide': '<div class="wide">Hello</div>',
  '/pale': '<p class="pale">Hello</p>',
  '/page.css': STYLE,
}
const shell = (body: string) =>
  `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,">` +
  `<link rel="stylesheet" href="/page.css"><main><h1>Page</h1>${body}</main></html>`

const gzipped = (path: string) => {
  const text = PAGES[path] ?? ''
  return gzipSync(path.includes('.') ? text : shell(text))
}

const server = createServer((req, res) => {
  const path = req.url!
  const type = { css: 'text/css', js: 'text/javascript' }[path.split('.')[1]!]
  res.statusCode = path in PAGES ? 200 : 404
  res.setHeader('Content-Type', type ?? 'text/html')
  res.setHeader('Content-Security-Policy', "default-src 'self'; img-src * data:")
  res.setHeader('Content-Encoding', 'gzip')
  const body = gzipped(path)
  res.setHeader('Content-Length', body.length)
  res.end(body)
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test.each([
  ['/console-error', /wrong/],
  ['/exception', /uncaught unexpected/],
  ['/inline-script', /Content Security Policy/],
  ['/inline-style', /Content Security Policy/],
  ['/external', /request to http:\/\/other\.example/],
  ['/missing', /404/],
])('%s: the problem is found', async (path, problem) => {
  const page = await openUnwatchedPage()
  const problems = watch(page, [url])
  await page.goto(url + path)
  expect(problems.join('\n')).toMatch(problem)
})

test.fails('a page with a problem fails the test', async () => {
  const page = await openPage(url)
  const response = await page.goto(`${url}/console-error`)
  expect(response!.status()).toBe(200)
})

test('a faultless page passes every check', async () => {
  const page = await openPage(url, PHONE)
  await page.goto(`${url}/faultless`)
  expect([await axeFindings(page), await sidewaysScrolling(page)]).toEqual([[], []])
  expect(await pageGzipBytes(page)).toBe(gzipped('/faultless').length + gzipped('/page.css').length)
})

test('a page that is too wide, or too pale, is found', async () => {
  const page = await openPage(url, PHONE)
  await page.goto(`${url}/wide`)
  expect((await sidewaysScrolling(page)).join()).toContain('class="wide"')
  await page.goto(`${url}/pale`)
  expect((await axeFindings(page)).join()).toContain('color-contrast')
  expect(await axeFindings(page, { rules: ['image-alt'] })).toEqual([])
})
