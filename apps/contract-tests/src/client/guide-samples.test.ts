// Samples of the guides, as a reader copies them, when something goes wrong: what the pages in the browser
// (`guides.test.ts`) do not show.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@tiwala/server/testing'
import { expect, test, vi } from 'vitest'
import { createBrowser } from '../kit/browser.ts'
import { openProgramFolder } from '../kit/program-folder.ts'
import { startServiceForFile } from '../kit/test-service.ts'

const service = await startServiceForFile()
const programs = await openProgramFolder()
let written = 0

/** Writes the sample of a page to a file, with the address of this test, and with these replacements. */
async function write(page: string, title: string, replacements: Record<string, string> = {}) {
  const path = join(import.meta.dirname, `../../../docs/src/content/docs/${page}.mdx`)
  const samples = (await readFile(path, 'utf8')).matchAll(/^```js title="(.*?)"\n(.*?)^```/gms)
  let code = [...samples].find(([, name]) => name === title)![2]!
  for (const [from, to] of Object.entries({ 'http://localhost:8080': service.url, ...replacements })) {
    expect(code).toContain(from)
    code = code.replaceAll(from, () => to)
  }
  return programs.write(`${written++}-${title}`, code)
}

/** Runs sign-in.mjs. `begin`: a sign-in in this browser, with the link that the citizen app opens. */
async function startSignIn() {
  const { code: partner_code, credentials } = await service.partner()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const file = await write('guides/sign-in', 'sign-in.mjs', { 8791: String(port) })
  programs.run(file, {
    TIWALA_PARTNER_CODE: partner_code,
    TIWALA_PARTNER_SECRET: credentials.partner_secret,
  })
  const get = async (path: string) => (await fetch(url + path)).status
  await expect.poll(() => get('/sign-in').catch(() => 0)).toBe(200)
  const browser = createBrowser(url)
  async function begin() {
    const citizen = await service.citizen()
    const { text: state } = await browser.visit('/sign-in')
    const { body } = await citizen.app('issueExchangeCode', { body: { partner_code, state } })
    const link = (exchange_code = body.exchange_code) =>
      `/signed-in?${String(new URLSearchParams({ exchange_code, state }))}`
    return { citizen, link }
  }
  return { browser, begin, get }
}

test('sign-in.mjs: the browser ends on a page that says who is signed in; 404 for another path', async () => {
  const { browser, begin } = await startSignIn()
  expect((await browser.visit('/')).text).toBe('You are not signed in.')
  const { citizen, link } = await begin()
  expect((await browser.visit('/favicon.ico')).status).toBe(404)
  const { status, location } = await browser.visit(link())
  expect([status, location]).toEqual([303, '/'])
  expect((await browser.visit(location!)).text).toBe(`You are signed in: ${citizen.uniqid}`)
})

test('sign-in.mjs: 400 for a state that was used, also if its exchange failed', async () => {
  const { browser, begin } = await startSignIn()
  const { link } = await begin()
  expect((await browser.visit(link('wrong'))).status).toBe(400)
  expect((await browser.visit(link())).status).toBe(400)
  expect((await browser.visit('/')).text).toBe('You are not signed in.')
})

test('sign-in.mjs: 400 for an address that is no URL, and the process goes on', async () => {
  const { get } = await startSignIn()
  expect(await get('//')).toBe(400)
  expect(await get('/sign-in')).toBe(200)
})

test('ask.mjs: shows the profile of a citizen who accepts just before the request is withdrawn', async () => {
  const [{ credentials }, citizen] = [await service.partner(), await service.citizen()]
  const file = await write('guides/ask-and-wait', 'ask.mjs', {
    '5_000': '500',
    'process.argv[2]': JSON.stringify(await citizen.showQr()),
  })
  const realFetch = fetch
  vi.stubEnv('TIWALA_SECRET_CODE', credentials.secret_code)
  vi.stubEnv('TIWALA_SECRET_TOKEN', credentials.secret_token)
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'DELETE') await citizen.accept(new URL(request.url).pathname.split('/').pop()!)
    return realFetch(request)
  })
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await import(file)
    expect(log.mock.calls.at(-1)).toMatchObject([{ uniqid: citizen.uniqid }])
  } finally {
    log.mockRestore()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  }
})

test('events.mjs: lists what was asked before, and repeats an event whose handler failed', async () => {
  const { partner, citizen } = await service.pending()
  const handle = 'console.log(type, data.tracking_no)'
  const failOnce =
    "if (lastEventId && !process.hasFailed) throw (process.hasFailed = true, new Error('failed'))"
  const file = await write('citizen-app/events', 'events.mjs', { [handle]: `{ ${handle}; ${failOnce} }` })
  const output = programs.run(file, { CITIZEN_TOKEN: citizen.token })
  const ask = async () => {
    const { record } = await partner.profiles.requestAuthorization(await citizen.showQr())
    return `authorization.requested ${record.tracking_no}\n`
  }
  await expect.poll(output).toBe('Pending: 1\n')
  const first = `Pending: 1\n${await ask()}`
  await expect.poll(output).toBe(first)
  const event = await ask()
  const repeated = `${first}${event}No stream: failed\n`
  await expect.poll(output).toMatch(new RegExp(`^${repeated}[^]*${event}`))
})

test('events.mjs: connects again when nothing arrives', async () => {
  const citizen = await service.citizen()
  const file = await write('citizen-app/events', 'events.mjs', { '45_000': '1_000' })
  const output = programs.run(file, { CITIZEN_TOKEN: citizen.token })
  await expect.poll(output).toMatch(/Pending: 0\nNo stream: silent for 45 seconds\nPending: 0\n/)
})

test('events.mjs: the pause grows only while no stream begins', async () => {
  const { partner, citizen } = await service.pending()
  const file = await write('citizen-app/events', 'events.mjs', {
    'console.log(type, data.tracking_no)':
      "{ if (lastEventId) throw new Error('failed'); console.log(type) }",
    'await sleep(': "console.log('Attempt', attempt)\n  await sleep(0.01 * ",
  })
  const output = programs.run(file, { CITIZEN_TOKEN: citizen.token })
  const ask = async () => partner.profiles.requestAuthorization(await citizen.showQr())
  await expect.poll(output).toBe('Pending: 1\n')
  await ask()
  await expect.poll(output).toBe('Pending: 1\nauthorization.requested\n')
  await ask()
  await expect.poll(output).toMatch(/(failed\nAttempt \d\n[^]*){3}/)
  expect(output()).not.toMatch(/Attempt [1-9]/)
})
