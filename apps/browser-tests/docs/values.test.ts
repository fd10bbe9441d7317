// The documentation speaks of the server that serves it: its settings, its addresses, its environment.
import { readdir, readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { routes } from '@tiwala/contract'
import { patternOf, SETTING_PHRASES } from '@tiwala/server/setting-numbers'
import { freePort, mintKey, PURPOSES } from '@tiwala/server/testing'
import { expect, test } from 'vitest'
import { startServiceForTest } from '../kit/service.ts'

/** A number for every setting that the documentation shows. None is a default. */
const OTHER_NUMBERS: Record<string, string> = {
  TIWALA_QR_TTL_SECONDS: '47',
  TIWALA_AUTHORIZATION_TTL_SECONDS: '311',
  TIWALA_RESULT_TTL_SECONDS: '7213',
  TIWALA_EXCHANGE_CODE_TTL_SECONDS: '53',
  TIWALA_ACCESS_TOKEN_TTL_SECONDS: '307',
  TIWALA_QR_RETRY_SECONDS: '31',
  TIWALA_POLL_INTERVAL_SECONDS: '7',
  TIWALA_MAX_WAIT_SECONDS: '19',
  TIWALA_PENDING_PER_CITIZEN: '13',
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '11',
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: '37',
  TIWALA_WAITS_PER_PARTNER: '123',
  TIWALA_WAITS_PER_RECORD: '17',
  TIWALA_STREAMS_PER_CITIZEN: '23',
  TIWALA_DIAGNOSES_KEPT_HOURS: '29',
  TIWALA_DIAGNOSES_PER_MINUTE: '59',
  TIWALA_SECRET_REMINDER_DAYS: '41',
  TIWALA_REQUESTS_PER_MINUTE: '131',
  TIWALA_VIEWS_PER_MINUTE: '137',
  TIWALA_TOKENS_PER_MINUTE: '139',
  TIWALA_SIGN_INS_PER_MINUTE: '149',
  TIWALA_EVENTS_KEPT_DAYS: '43',
  TIWALA_SECRET_TTL_DAYS: '401',
  TIWALA_IDENTITY_TOKEN_MAX_HOURS: '67',
  TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR: '73',
  TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: '79',
  TIWALA_IDEMPOTENCY_KEY_TTL_SECONDS: '907',
  TIWALA_SESSION_IDLE_MINUTES: '21',
  TIWALA_SESSION_HOURS: '9',
  TIWALA_REQUESTS_KEPT_DAYS: '33',
}

/** The tests read every page as fast as they can. */
const ANY_NUMBER_OF_PAGES = { TIWALA_ANONYMOUS_REQUESTS_PER_SECOND: '5000' }

test('a server with other numbers in every setting shows those, and no default', async () => {
  const shown = [...(await readMarkers()), ...SETTING_PHRASES.map(([marker]) => marker)].map((marker) =>
    marker.replace(/^(VALUE|RAW)_/, 'TIWALA_'),
  )
  expect(Object.keys(OTHER_NUMBERS).toSorted()).toEqual([...new Set(shown)].toSorted())
  const service = await startServiceForTest({ ...OTHER_NUMBERS, ...ANY_NUMBER_OF_PAGES })
  const { host } = new URL(service.url)
  const texts = await readPages(new URL(service.url), host)
  for (const name of ['partner', 'citizen-app', 'workbench', 'operator', 'partner-3.0'])
    texts.set(name, await read(new URL(service.url), host, `/openapi/${name}.json`))
  const all = [...texts.values()].join('\n')
  for (const number of Object.values(OTHER_NUMBERS))
    expect(all).toMatch(new RegExp(`\\b${Number(number).toLocaleString('en')}\\b`))
  // The changelog tells what was. The operator's guides name other periods, and the defaults.
  const present = [...texts].filter(([path]) => !/^\/docs\/(changelog|operations)/.test(path))
  const defaults = SETTING_PHRASES.flatMap(([, phrase]) =>
    present.filter(([, page]) => patternOf(phrase).test(page)).map(([path]) => `${path}: ${phrase}`),
  )
  expect(defaults).toEqual([])
  expect(texts.get('/docs/guides/ask-and-wait.md')).toContain('A QR value lives 47 seconds')
})

test('no marker is left on any page, and no address of another server', async () => {
  const service = await startServiceForTest(ANY_NUMBER_OF_PAGES)
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
  const service = await startServiceForTest({
    ...LIVE,
    ...ANY_NUMBER_OF_PAGES,
    TIWALA_OPERATOR_ADDRESS: `127.0.0.1:${operatorPort}`,
  })
  const pages = await readPages(new URL(`http://127.0.0.1:${service.config.listeners[0]!.port}`), HOST)
  expect(pages.get('/docs/guides/ask-and-wait.md')).toContain(`https://${HOST}${routes.partner.inquire.path}`)
  expect([...pages].filter(([, page]) => /sandbox/i.test(page)).map(([path]) => path)).toEqual([])
  expect([...pages.keys()].filter((path) => path.endsWith('/createPartner'))).toEqual([])

  const operatorHost = `127.0.0.1:${operatorPort}`
  const forOperators = await readPages(new URL(`http://${operatorHost}`), operatorHost)
  expect([...forOperators.keys()]).toContain('/docs/reference/createPartner')
  expect([...forOperators.keys()].filter((path) => path.includes('/guides/'))).toEqual([])
})

/** The markers of the pages as they were built, before a server fills in its numbers. */
async function readMarkers(): Promise<string[]> {
  const folder = fileURLToPath(
    new URL('../../docs/dist/sandbox.partner.citizen-app.workbench.operator', import.meta.url),
  )
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'))
  const pages = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return pages.flatMap((page) => page.match(/\b(VALUE|RAW)_[A-Z_]+/g) ?? [])
}

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

/** Sends again after `429`: the service limits how many bytes of pages one address gets in a second. */
async function read(address: URL, host: string, path: string): Promise<string> {
  const received = await send(address, host, path)
  if (received.statusCode === 200) return text(received)
  received.resume()
  if (received.statusCode !== 429) throw new Error(`${path}: ${received.statusCode}`)
  await sleep(1_000)
  return read(address, host, path)
}

/** Without `fetch`, which sends no other `Host`. */
function send(address: URL, host: string, path: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(new URL(path, address), { headers: { Host: host } }, resolve)
    .on('error', reject)
    .end()
  return promise
}
