import { locate } from '@tiwala/kit/operations'
// The security headers of a response. The tests compare all of them, because a missing header breaks nothing
// visible.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startService, type TestService } from '../../../src/testing/start-service.ts'

let service: TestService
beforeAll(async () => void (service = await startService(inject('postgres'))))
afterAll(() => service.close())

/**
 * Headers of the content and the connection. The tests compare all others, so no header appears or disappears
 * unnoticed.
 */
const ORDINARY = new RegExp(
  '^(accept-ranges|connection|content-length|content-type|date|etag|keep-alive|last-modified|' +
    'traceparent|x-request-id)$',
)

/** The status and the security headers. */
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

test('401: a response of the API is not cached, loads nothing in a browser, cannot be framed', async () => {
  expect(await readHeaders(`${locate('inquire').path}?tracking_no=unknown`)).toEqual({
    status: 401,
    ...EVERYWHERE,
    link: `<${service.url}/errors/credentials_missing>; rel="help"`,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'www-authenticate': 'SecretHeaders names="X-Secret-Code X-Secret-Token"',
  })
})

test('200: a page loads only files of this server, cannot be framed, and shares no window', async () => {
  expect(await readHeaders('/')).toEqual({
    status: 200,
    ...ON_PAGES,
    'cache-control': 'public, max-age=0',
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
    'content-security-policy':
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';" +
      "img-src 'self' data:;font-src 'self' data:;connect-src 'self';" +
      "base-uri 'none';form-action 'none';frame-ancestors 'none'",
  })
})

test('200: a sandbox page has the same security headers', async () => {
  expect(await readHeaders('/sandbox/signed-in')).toEqual({
    status: 200,
    ...ON_PAGES,
    'content-security-policy': expect.stringMatching(/^default-src 'self';.*object-src 'none'/),
  })
})
