// What the headers of an answer tell a browser: all of them, since a service that lacks one seems as well as before.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startService, type TestService } from '../../src/testing/start-service.ts'
import { locate } from '../kit/api-client.ts'

let service: TestService
beforeAll(async () => void (service = await startService(inject('postgres'))))
afterAll(() => service.close())

/** These describe the content and the connection; all others are compared, so that none is missing and none is added unnoticed. */
const ORDINARY = /^(accept-ranges|connection|content-length|content-type|date|etag|keep-alive|last-modified|x-request-id)$/

/** Status and headers. */
async function readHeaders(path: string) {
  const { status, headers } = await fetch(`${service.url}${path}`)
  return { status, ...Object.fromEntries([...headers].filter(([name]) => !ORDINARY.test(name))) }
}

const EVERYWHERE = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const ON_PAGES = {
  ...EVERYWHERE,
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

test('401: an answer of the API is kept by no cache, and a browser neither loads anything for it nor frames it', async () => {
  expect(await readHeaders(`${locate('inquire').path}?tracking_no=unknown`)).toEqual({
    status: 401,
    ...EVERYWHERE,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  })
})

test('200: a page loads only what is of this server, is framed by nobody, and shares its window with nobody', async () => {
  expect(await readHeaders('/docs')).toEqual({
    status: 200,
    ...ON_PAGES,
    'cache-control': 'public, max-age=0',
    'content-security-policy':
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;font-src 'self' data:;" +
      "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  })
})

test('200: a page of the sandbox has all of it too', async () => {
  expect(await readHeaders('/sandbox/signed-in')).toEqual({
    status: 200,
    ...ON_PAGES,
    'content-security-policy': expect.stringMatching(/^default-src 'self';.*object-src 'none'/),
  })
})
