// The documentation speaks of the server that serves it: its settings, its addresses, its environment.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { routes } from '@tiwala/contract'
import { freePort, mintKey, PURPOSES } from '@tiwala/server/testing'
import { expect, test } from 'vitest'
import { openPage } from '../kit/open-page.ts'
import { startServiceForTest } from '../kit/service.ts'

test('a server with other lifetimes and limits shows those', async () => {
  const service = await startServiceForTest({
    TIWALA_QR_TTL_SECONDS: '47',
    TIWALA_RESULT_TTL_SECONDS: '7213',
    TIWALA_MAX_WAIT_SECONDS: '19',
    TIWALA_WAITS_PER_PARTNER: '123',
  })
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/guides/ask-and-wait`)
  const guide = await page.locator('main').innerText()
  expect(guide).toContain('A QR value lives 47 seconds')
  expect(guide).toContain('You can read the profile for 7,213 seconds')
  expect(guide).toContain('Prefer: wait=19')
  expect(guide).toContain('At most 123 of your inquiries')
  await page.goto(`${service.url}/docs/reference/inquire`)
  const reference = await page.locator('main').innerText()
  expect(reference).toContain('7,213 seconds')
  expect(reference).not.toContain('3,600 seconds')
})

test('no marker is left on any page, and no address of another server', async () => {
  const service = await startServiceForTest()
  const pages = await readPages(new URL(service.url), new URL(service.url).host)
  expect(pages.size).toBeGreaterThan(100)
  const wrong = [...pages].filter(
    ([, page]) => /\b(VALUE|RAW)_[A-Z_]+/.test(page) || page.includes('http://localhost:8080'),
  )
  expect(wrong.map(([path]) => path)).toEqual([])
})

const HOST = 'tiwala.example'
const KEYS = PURPOSES.map((purpose) => mintKey(purpose))
const PROVIDER = 'https://identity.example'
const LIVE = {
  TIWALA_TRUSTED_PROXIES: '127.0.0.1',
  TIWALA_ENVIRONMENT: 'live',
  TIWALA_PUBLIC_URL: `https://${HOST}`,
  DATABASE_URL: 'postgres://svc:secret@localhost/tiwala',
  TIWALA_KEY_RING: JSON.stringify({ keys: KEYS }),
  TIWALA_CITIZEN_ISSUER: PROVIDER,
  TIWALA_CITIZEN_JWKS_URL: `${PROVIDER}/jwks.json`,
  TIWALA_OPERATOR_ISSUER: PROVIDER,
  TIWALA_OPERATOR_JWKS_URL: `${PROVIDER}/jwks.json`,
}

test("a live server's documentation has its address, no sandbox and no operator reference", async () => {
  const operatorPort = await freePort()
  const service = await startServiceForTest({ ...LIVE, TIWALA_OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}` })
  const pages = await readPages(new URL(`http://127.0.0.1:${service.config.listeners[0]!.port}`), HOST)
  expect(pages.get('/docs/guides/ask-and-wait.md')).toContain(`https://${HOST}${routes.partner.inquire.path}`)
  expect([...pages].filter(([, page]) => /sandbox/i.test(page)).map(([path]) => path)).toEqual([])
  expect([...pages.keys()].filter((path) => path.endsWith('/createPartner'))).toEqual([])

  const operatorHost = `127.0.0.1:${operatorPort}`
  const forOperators = await readPages(new URL(`http://${operatorHost}`), operatorHost)
  expect([...forOperators.keys()]).toContain('/docs/reference/createPartner')
  expect([...forOperators.keys()].filter((path) => path.includes('/guides/'))).toEqual([])
})

/** Every page that `llms.txt` lists, as Markdown and as HTML, by path. */
async function readPages(address: URL, host: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const list = await read(address, host, '/docs/llms.txt')
  for (const [, path] of list.matchAll(/(\/docs[^)\s]*\.md)/g)) {
    pages.set(path!, await read(address, host, path!))
    const page = path!.replace(/(\/index)?\.md$/, '')
    pages.set(page, await read(address, host, page))
  }
  return pages
}

/** Without `fetch`, which sends no other `Host`. */
async function read(address: URL, host: string, path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const outgoing = request(new URL(path, address), { headers: { Host: host } }, (incoming) => {
    if (incoming.statusCode === 200) text(incoming).then(resolve, reject)
    else reject(new Error(`${path}: ${incoming.statusCode}`))
  })
  outgoing.on('error', reject).end()
  return promise
}
