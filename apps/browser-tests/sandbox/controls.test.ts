// Acts 4 to 7 and 9: the clock, own citizens, errors, webhooks and requests.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseEnv } from 'node:util'
import { verifyWebhook } from '@tiwala/client'
import { partnerRoutes } from '@tiwala/contract/partner'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { copiedText, focused, openSandbox, storedSandbox, USES } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

describe.each(USES)('$use', (use) => {
  test('a QR code expires by my clock, and the page says why', async () => {
    const sandbox = await openSandbox(url, { ...use, isRefusalExpected: true })
    const shown = sandbox.phone.getByTestId('qr-value')
    await sandbox.show('Phone')
    const before = await shown.textContent()
    await sandbox.show('Controls')
    await sandbox.click('+ 1 minute')
    await sandbox.controls.getByText('My clock: 1 minute ahead').waitFor()
    // The phone has a new code, also in a tab of its own.
    await sandbox.show('Phone')
    await expect.poll(() => shown.textContent()).not.toBe(before)
    await sandbox.pause()
    await sandbox.show('Desk')
    await sandbox.open('Or step by step')
    await sandbox.click("Take the phone's value")
    await sandbox.show('Controls')
    await sandbox.controls.getByText('My clock: 1 minute ahead').waitFor()
    await sandbox.click('+ 1 minute')
    await sandbox.controls.getByText('My clock: 2 minutes ahead').waitFor()
    await sandbox.show('Desk')
    await sandbox.click('Request authorization')
    await sandbox.click('Why?', sandbox.desk)
    await sandbox.desk.getByText(/failed: expired \d+ s ago/).waitFor()
  })

  test('a citizen without middle name and passport, who then gives the profile and signs in', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.show('Phone')
    await sandbox.open('Create a citizen')
    for (const [label, value] of [
      ['First name', 'Amihan'],
      ['Last name', 'Sulit'],
      ['Birth date', '1999-02-28'],
    ] as const)
      await sandbox.fill(sandbox.phone.getByLabel(label), value)
    await sandbox.click('Create')
    for (const tab of [sandbox.phone.page(), sandbox.desk.page()])
      await expect
        .poll(() =>
          tab
            .getByRole('combobox', { name: /^Citizen/ })
            .locator('option:checked')
            .textContent(),
        )
        .toBe('Amihan Sulit (you answer)')
    await sandbox.pause()
    await sandbox.ask()
    await sandbox.answer('Accept')
    await sandbox.profile.getByRole('heading', { name: 'Amihan Sulit' }).waitFor()
    expect(await sandbox.profile.getByText('middle_name').locator('xpath=..').textContent()).toBe(
      'middle_namenull',
    )
    await sandbox.show('Phone')
    await sandbox.click(/^Sign in to/)
    await sandbox.click('Exchange the code for the profile')
    await sandbox.page.getByText('This citizen has no passport').waitFor()
  })

  test('an error is provoked, and its page opens', async () => {
    const sandbox = await openSandbox(url, { ...use, isRefusalExpected: true })
    await sandbox.showTool('Errors')
    await sandbox.click('Provoke partner_suspended')
    await sandbox.controls.getByText('The service answered').waitFor()
    await sandbox.pause()
    // The tab that is shown survives a reload.
    await sandbox.show('Controls')
    const [page] = await Promise.all([
      sandbox.page.context().waitForEvent('page'),
      sandbox.follow(sandbox.controls.getByRole('link', { name: 'partner_suspended' }).first()),
    ])
    await expect.poll(() => page.url()).toBe(`${url}/docs/errors/partner_suspended`)
  })

  test('a failed request and its failing check in 2 clicks from its request_id', async () => {
    const sandbox = await openSandbox(url, { ...use, isRefusalExpected: true })
    await sandbox.show('Desk')
    await sandbox.open('Or step by step')
    await sandbox.fill(sandbox.desk.getByLabel('QR value'), `TWQ1${'0'.repeat(32)}`)
    await sandbox.click('Request authorization')
    const requestId = await sandbox.desk.getByText(/^req_/).textContent()
    await sandbox.pause()
    await sandbox.showTool('Requests')
    await sandbox.fill(sandbox.requests.getByLabel('Request ID'), requestId!)
    await sandbox.click('Why?', sandbox.requests)
    await expect.poll(() => sandbox.requests.getByText(/qr_value failed/).count()).toBe(1)
  })

  test('an event arrives with a signature that fits, and is sent again after a refusal', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.showTool('Events')
    await sandbox.click('Let the inbox refuse the next delivery')
    await sandbox.page.getByText('The inbox refuses the next delivery. It is retried.').waitFor()
    await sandbox.click('Send')
    await sandbox.controls.getByText(/HTTP 503 at attempt 1/).waitFor()
    await sandbox.pause()
    await sandbox.show('Controls')
    await sandbox.click('+ 1 minute')
    await sandbox.controls.getByText(/HTTP 204 at attempt 2/).waitFor()
    await expect.poll(() => sandbox.controls.getByText('valid signature, received twice').count()).toBe(1)
  })
})

const byKeyboard = { view: DESKTOP, isKeyboardOnly: true, isRefusalExpected: true }

test('each error is provoked by keyboard, opens its page, and leaves the sandbox usable', async () => {
  const sandbox = await openSandbox(url, byKeyboard)
  await sandbox.showTool('Errors')
  const buttons = sandbox.page.getByRole('button', { name: /^Provoke / })
  const codes = (
    await buttons.evaluateAll((list) => list.map((button) => button.getAttribute('aria-label')!))
  ).map((label) => label.replace('Provoke ', ''))
  expect(codes.length).toBeGreaterThan(20)
  for (const code of codes) {
    await sandbox.click(`Provoke ${code}`)
    const answer = sandbox.controls.locator('li', {
      has: sandbox.page.getByLabel(`Provoke ${code}`, { exact: true }),
    })
    await answer.getByText('The service answered').waitFor()
    expect(await focused(sandbox.page)).toBe(`Provoke ${code}`)
    expect(await answer.getByRole('status').getByRole('link').textContent()).toBe(code)
    const href = await answer.getByRole('status').getByRole('link').getAttribute('href')
    expect((await fetch(url + href)).status).toBe(200)
  }
  for (const code of ['internal_error', 'unavailable'])
    await sandbox.controls
      .locator('li', { has: sandbox.page.getByRole('link', { name: code, exact: true }) })
      .getByText('No request provokes it')
      .waitFor()
  await sandbox.ask()
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
})

test('an error is found by its code or by what is done, and a link shares it', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page, controls } = sandbox
  await sandbox.showTool('Errors')
  const search = controls.getByLabel('Find an error')
  const codes = () => controls.getByRole('listitem').getByRole('link').allTextContents()
  await search.fill('TOKEN_')
  expect(await codes()).toEqual(['token_missing', 'token_invalid', 'token_used', 'token_expired'])
  await search.fill('five minutes')
  expect(await codes()).toEqual(['token_expired'])
  await search.fill('nothing of this kind')
  await controls.getByText('No error fits.').waitFor()
  await page.goto(`${url}/sandbox/#errors/slow_down`)
  await page.reload()
  await controls.getByLabel('Provoke slow_down').waitFor()
  expect(await codes()).toEqual(['slow_down'])
})

test('by keyboard: events go to my own URL, signed, and a refused one comes again', async () => {
  const sandbox = await openSandbox(url, byKeyboard)
  const { page, controls } = sandbox
  const secret = (await storedSandbox(page)).partner.webhook_secret
  const received: string[] = []
  const receiver = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const { event } = await verifyWebhook(Buffer.concat(chunks), req.headers, secret)
    received.push(event.type)
    res.writeHead(received.length === 1 ? 500 : 204).end()
  })
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  await sandbox.showTool('Events')
  const own = page.getByLabel('My own URL')
  await sandbox.fill(own, 'http://192.168.0.1/hook')
  await sandbox.click('Send events to my URL')
  await controls.getByRole('alert').getByText('must be an https URL of a public host').waitFor()
  // The Tab key selects the old text, which the new one replaces.
  await sandbox.fill(own, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`)
  await sandbox.click('Send events to my URL')
  await page.getByText('Events now go to http://127.0.0.1').waitFor()
  const type = controls.getByRole('combobox')
  await sandbox.follow(type, 'Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => type.inputValue()).toBe('authorization.accepted')
  await sandbox.click('Send')
  await page.getByText(/HTTP 500 at attempt 1/).waitFor()
  expect(await focused(page)).toBe('Send')
  await sandbox.click('+ 1 minute')
  await page.getByText(/HTTP 204 at attempt 2/).waitFor()
  expect(received).toEqual(['authorization.accepted', 'authorization.accepted'])
  await controls.getByText('Events go to http://127.0.0.1').waitFor()
  await sandbox.click('Send events to the sandbox inbox')
  await controls.getByText('Events go to the sandbox inbox').waitFor()
})

test('the credentials, copied as .env, are those of the client', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { partner } = await storedSandbox(sandbox.page)
  await sandbox.showTool('Credentials')
  await sandbox.open('As .env')
  await sandbox.click('Copy', sandbox.controls.locator('.snippet'))
  const env = parseEnv(await copiedText(sandbox.page))
  expect(env).toEqual({
    TIWALA_BASE_URL: url,
    TIWALA_AUTH_URL: url,
    TIWALA_SECRET_CODE: partner.secret_code,
    TIWALA_SECRET_TOKEN: partner.secret_token,
    TIWALA_PARTNER_CODE: partner.partner_code,
    TIWALA_PARTNER_SECRET: partner.partner_secret,
    TIWALA_WEBHOOK_SECRET: partner.webhook_secret,
  })
})

test('requests with wrong secrets that name my partner are listed, with the failing check', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  const { page, requests } = sandbox
  const { partner } = await storedSandbox(page)
  const { readPartnerSelf, generateToken } = partnerRoutes
  const body = new FormData()
  for (const [name, value] of Object.entries({
    partner_code: partner.partner_code,
    partner_secret: 'wrong',
    exchange_code: 'wrong',
    scope: 'SSO_AUTHENTICATION',
  }))
    body.append(name, value)
  const headers = { 'X-Secret-Code': partner.secret_code, 'X-Secret-Token': 'wrong' }
  const sent = [
    await fetch(url + readPartnerSelf.path, { headers }),
    await fetch(url + generateToken.path, { method: 'POST', body }),
  ]
  const anonymous = await fetch(url + readPartnerSelf.path)
  for (const response of sent) {
    const { request_id, error } = (await response.json()) as { request_id: string; error: string }
    expect(['credentials_invalid', 'partner_invalid']).toContain(error)
    await requests.getByLabel('Request ID').fill(request_id)
    await expect.poll(() => requests.getByRole('link', { name: error }).count()).toBe(1)
    await sandbox.click('Why?', requests)
    await requests
      .getByText(/failed/)
      .first()
      .waitFor()
  }
  const { request_id } = (await anonymous.json()) as { request_id: string }
  await requests.getByLabel('Request ID').fill(request_id)
  await requests.getByText('No request fits.').waitFor()
  await requests.getByText('the service cannot know whose it is').waitFor()
})
