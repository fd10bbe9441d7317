// "Run it" of each partner operation: a real request in a sandbox of the reader's own.
import { routes } from '@tiwala/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, openPage, openUnwatchedPage, PHONE } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, sidewaysScrolling } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

const service = await startServiceForFile({ TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '1' })

test.each(Object.keys(routes.partner))('%s: a click shows the real success', async (id) => {
  // It explains a refusal, which it provokes, and which the browser reports.
  const page =
    id === 'readDiagnosis' ? await openUnwatchedPage(DESKTOP) : await openPage(service.url, DESKTOP)
  await page.goto(`${service.url}/docs/reference/${id}`)
  await page.getByRole('button', { name: 'Run it' }).click()
  const result = page.locator('run-it .result')
  await expect.poll(() => result.locator('.badge').allInnerTexts()).toEqual(['200'])
  expect(await result.locator('pre').first().innerText()).toContain('X-Request-Id: req_')
})

test('a sandbox is made once, and the values of the request are in every sample', async () => {
  const page = await openPage(service.url, DESKTOP)
  const made: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/sandbox') made.push(request.method())
  })
  await page.goto(`${service.url}/docs/reference/inquire`)
  const [example] = /7M3K\w{22}/.exec((await page.locator('.samples').textContent())!)!
  await page.getByRole('button', { name: 'Run it' }).click()
  const response = page.locator('run-it .result pre').first()
  await expect.poll(() => response.innerText()).toContain('X-Authorization-State: ACCEPTED')
  const [, trackingNo] = /"tracking_no": "(\w+)"/.exec(await response.innerText())!
  for (const name of ['curl', 'Python', 'Go']) {
    await page.getByRole('tab', { name, exact: true }).click()
    const sample = page.getByRole('tabpanel', { name, exact: true })
    expect(await sample.innerText()).toContain(trackingNo)
    expect(await sample.innerText()).not.toContain(example)
    await sample.locator('.copy button').click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(trackingNo)
  }
  await page.goto(`${service.url}/docs/reference/readPartnerSelf`)
  await page.getByRole('button', { name: 'Run it' }).click()
  await expect.poll(() => page.locator('run-it .badge').allInnerTexts()).toEqual(['200'])
  expect(made).toEqual(['POST'])
})

test('two tabs that need a sandbox at once make one', async () => {
  const page = await openPage(service.url, DESKTOP)
  const other = await page.context().newPage()
  const made: string[] = []
  page.context().on('request', (request) => {
    if (new URL(request.url()).pathname === '/sandbox') made.push(request.method())
  })
  const tabs = [page, other]
  for (const tab of tabs) await tab.goto(`${service.url}/docs/reference/readPartnerSelf`)
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Run it' }).click()))
  for (const tab of tabs) await tab.locator('run-it .badge').getByText('200').waitFor()
  expect(made).toEqual(['POST'])
})

test('a tab whose request for a sandbox hangs lets another tab run after ten seconds', async () => {
  const page = await openUnwatchedPage(DESKTOP)
  const other = await page.context().newPage()
  const address = `${service.url}/docs/reference/readPartnerSelf`
  const run = (tab: Page) => tab.getByRole('button', { name: 'Run it' }).click()
  await page.goto(address)
  // First the tab makes a sandbox. Then the other tab has made one, which this tab looks up.
  for (const hanging of ['**/sandbox', '**/sandbox/sbx_*']) {
    await page.route(hanging, () => {})
    const isSent = page.waitForRequest(hanging)
    await run(page)
    await isSent
    await other.goto(address)
    await run(other)
    await other.locator('run-it .badge').getByText('200').waitFor()
    expect(await page.locator('run-it .result').innerText()).toContain('It did not work')
    await page.unroute(hanging)
  }
})

test('no room for a sandbox: the page says why; an error of the look-up makes no other one', async () => {
  const page = await openUnwatchedPage(DESKTOP)
  let made = 0
  page.on('request', (request) => (made += Number(new URL(request.url()).pathname === '/sandbox')))
  const refuse = (glob: string, status: number, error: string, message: string) =>
    page.route(
      glob,
      (route) => route.fulfill({ status, headers: { 'Retry-After': '60' }, json: { error, message } }),
      { times: 1 },
    )
  await page.goto(`${service.url}/docs/reference/readPartnerSelf`)
  const run = page.getByRole('button', { name: 'Run it' })
  const runIt = page.locator('run-it')
  await refuse('**/sandbox', 429, 'rate_limited', 'Your address has 50 sandboxes.')
  await run.click()
  const refusal = '429 rate_limited: Your address has 50 sandboxes. (Retry-After: 60 seconds)'
  await runIt.getByText(`It did not work: ${refusal}`).waitFor()
  await run.click()
  await runIt.locator('.badge').getByText('200').waitFor()
  await refuse('**/sandbox/sbx_*', 503, 'unavailable', 'The service is overloaded.')
  await run.click()
  await runIt.getByText('503 unavailable: The service is overloaded.').waitFor()
  expect(made).toBe(2)
})

test('the request before it is refused: the page says why', async () => {
  const page = await openUnwatchedPage(DESKTOP)
  const run = async (id: string, result: string) => {
    await page.goto(`${service.url}/docs/reference/${id}`)
    await page.getByRole('button', { name: 'Run it' }).click()
    await expect.poll(() => page.locator('run-it .result').first().innerText()).toContain(result)
  }
  // It leaves a pending request.
  await run('requestAuthorization', 'The real response')
  await run('cancelAuthorization', 'It did not work: 429 rate_limited: ')
})

test('blocked storage: it runs, and keeps its sandbox until the page is left', async () => {
  // The theme of the documentation reports the storage, too.
  const page = await openUnwatchedPage(DESKTOP)
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException('Access is denied', 'SecurityError')
        },
      })
  })
  let made = 0
  page.on('request', (request) => (made += Number(new URL(request.url()).pathname === '/sandbox')))
  await page.goto(`${service.url}/docs/reference/readPartnerSelf`)
  for (let runs = 0; runs < 2; runs++) {
    await page.locator('run-it .result').evaluate((result) => result.replaceChildren())
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.locator('run-it .badge').getByText('200').waitFor()
  }
  expect(made).toBe(1)
})

test('a refusal has its diagnosis, on a phone, and axe finds nothing', async () => {
  const page = await openUnwatchedPage(PHONE)
  const { path } = routes.partner.requestAuthorization
  await page.route(`**${path}`, (route) => route.continue({ postData: '{"qr_value":"TWQ1"}' }))
  await page.goto(`${service.url}/docs/reference/requestAuthorization`)
  await page.getByRole('button', { name: 'Run it' }).click()
  await page.locator('run-it .timeline').waitFor()
  expect(await page.locator('run-it .badge').innerText()).toBe('422')
  expect(await page.locator('run-it .done').allInnerTexts()).toContain('credentials: passed')
  expect(await page.locator('run-it .failed').innerText()).toMatch(/^qr_value: failed, \S/)
  expect([...(await axeFindings(page, { part: 'main' })), ...(await sidewaysScrolling(page))]).toEqual([])
  await keepScreenshot(page, 'run-it', true)
})

test('without JavaScript, nothing offers to run, and the samples are there', async () => {
  const page = await openPage(service.url, { ...DESKTOP, javaScript: false })
  await page.goto(`${service.url}/docs/reference/inquire`)
  expect(await page.getByRole('button', { name: 'Run it' }).count()).toBe(0)
  expect(await page.locator('.samples pre').count()).toBeGreaterThan(5)
})
