// What the page says when something fails, and that it stays usable.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { partnerRoutes } from '@tiwala/contract/partner'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { sidewaysScrolling } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'
import { copiedText, openSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile({
  TIWALA_POLL_INTERVAL_SECONDS: '2',
  TIWALA_SANDBOXES_PER_ADDRESS: '30',
})
const refused = { view: DESKTOP, isRefusalExpected: true }

test('an error is provoked again and again: its records do not fill the phone', async () => {
  const sandbox = await openSandbox(url, refused)
  await sandbox.showTool('Errors')
  for (let count = 0; count < 5; count++) {
    await sandbox.click('Provoke slow_down')
    await sandbox.controls.getByRole('status').getByRole('link', { name: 'slow_down' }).waitFor()
  }
  await sandbox.click('Provoke quota_exceeded')
  await sandbox.controls.getByRole('status').getByRole('link', { name: 'quota_exceeded' }).waitFor()
  await expect.poll(() => sandbox.phone.getByText('asks for your profile').count()).toBe(0)
})

test('a frozen citizen: the refused step of a provocation is shown', async () => {
  const sandbox = await openSandbox(url, refused)
  await sandbox.click('Privacy', sandbox.phone)
  await sandbox.toggle(sandbox.phone.getByLabel(/^Freeze/))
  await expect.poll(() => sandbox.phone.getByLabel(/^Freeze/).isChecked()).toBe(true)
  await sandbox.showTool('Errors')
  await sandbox.click('Provoke token_used')
  await sandbox.controls.getByRole('alert').getByRole('link', { name: 'What this means' }).waitFor()
  expect(await sandbox.page.getByText('The service does not answer.').count()).toBe(0)
})

test('a link to an error shows it, also on a narrow page, until the visitor shows another part', async () => {
  const sandbox = await openSandbox(url, { view: PHONE })
  const { page, controls } = sandbox
  await page.goto('about:blank')
  await page.goto(`${url}/sandbox/#errors/token_used`)
  await controls.getByRole('button', { name: 'Provoke token_used' }).waitFor()
  expect(await controls.getByRole('button', { name: /^Provoke / }).count()).toBe(1)
  await sandbox.show('Phone')
  await page.reload()
  await page.getByTestId('qr-value').waitFor()
  // The tab of the link stays.
  await sandbox.show('Controls')
  await controls.getByRole('tab', { name: 'Errors', selected: true }).waitFor()
})

test('one provocation at a time, and a message when the service answers something else', async () => {
  const sandbox = await openSandbox(url, refused)
  const { page, controls } = sandbox
  await sandbox.showTool('Errors')
  const { promise: isChecked, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/pub/partner', async (route) => {
    await isChecked
    await route.fulfill({ json: {} })
  })
  await sandbox.click('Provoke credentials_invalid')
  const other = controls.getByRole('button', { name: 'Provoke token_used' })
  await expect.poll(() => other.isDisabled()).toBe(true)
  answer()
  await controls.getByText('This is not credentials_invalid').waitFor()
  expect(await controls.locator('a[href="/errors/undefined"]').count()).toBe(0)
})

test('several pending records: only the newest one waits, so that connections stay free', async () => {
  const sandbox = await openSandbox(url, refused)
  const { page, desk } = sandbox
  for (let count = 1; count <= 3; count++) {
    await sandbox.ask()
    await expect.poll(() => sandbox.phone.getByText('asks for your profile').count()).toBe(count)
  }
  /** The records about which an inquiry waits. */
  const waiting = new Set<string>()
  page.on('request', (request) => {
    const trackingNo = new URL(request.url()).searchParams.get('tracking_no')
    if (trackingNo && request.headers()['prefer']) waiting.add(trackingNo)
  })
  await page.reload()
  await sandbox.open('Earlier records')
  await expect.poll(() => desk.locator('.state', { hasText: 'PENDING' }).count()).toBe(3)
  await expect.poll(() => waiting.size).toBe(1)
  // A second card that waits would have sent its inquiry by the second refresh of the list.
  for (let count = 0; count < 2; count++) await page.waitForResponse(/\/requests$/)
  expect(waiting.size).toBe(1)
})

test('two clicks on "Start over" make one sandbox', async () => {
  const { page } = await openSandbox(url, refused)
  let made = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url() === `${url}/sandbox`) made++
  })
  await page.getByRole('button', { name: /^Start over/ }).dblclick()
  await page.getByRole('button', { name: /^Start over/, disabled: false }).waitFor()
  await page.getByTestId('qr-value').waitFor()
  expect(made).toBe(1)
})

test('two clicks at the same moment ask once', async () => {
  const { page, desk, record } = await openSandbox(url, refused)
  let asked = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(partnerRoutes.requestAuthorization.path))
      asked++
  })
  const button = desk.getByRole('button', { name: 'Scan the code', disabled: false })
  await button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
  await record.getByText('PENDING').waitFor()
  expect(asked).toBe(1)
})

test('a refused act, copied as client code, repeats the refused request', async () => {
  const { page, click, open, follow, desk, fill, sentBy } = await openSandbox(url, refused)
  await open('Or step by step')
  await fill(desk.getByLabel('QR value'), `TWQ1${'0'.repeat(32)}`)
  await click('Request authorization')
  await desk.getByRole('alert').waitFor()
  const sent = sentBy('Desk').first()
  await follow(sent.locator('summary').first())
  await click('Client code', sent)
  await click('Copy', sent.locator('.snippet'))
  const code = await copiedText(page)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])
  expect(stdout).toMatch(/^4\d\d .*qr_value_invalid/)
})

test('a name of 200 letters fits, a request marks the phone, and blanks are not a URL', async () => {
  const sandbox = await openSandbox(url, { ...refused, view: PHONE })
  const { page } = sandbox
  await sandbox.open('Create a citizen')
  for (const label of ['First name', 'Last name'])
    await sandbox.fill(sandbox.phone.getByLabel(label), 'A'.repeat(100))
  await sandbox.fill(sandbox.phone.getByLabel('Birth date'), '1999-02-28')
  await sandbox.click('Create')
  await expect.poll(() => page.locator('option:checked').first().textContent()).toMatch(/AAA/)
  await sandbox.ask()
  await page.getByTitle('A request waits').waitFor()
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
  expect(await sidewaysScrolling(page)).toEqual([])
  await sandbox.showTool('Events')
  const own = page.getByLabel('My own URL')
  await own.fill('   ')
  await sandbox.click('Send events to my URL')
  expect(await own.evaluate((input: HTMLInputElement) => input.validity.customError)).toBe(true)
})

test('without a clipboard, Copy selects the text and says so', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page, phone } = sandbox
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  const value = await phone.getByTestId('qr-value').textContent()
  await sandbox.click('Copy', phone)
  await page.getByText('Selected: press Ctrl+C').waitFor()
  expect(await page.evaluate(() => getSelection()!.toString())).toBe(value)
})

test('what the phone sent is still shown after it has opened the partner', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  await sandbox.click(/^Sign in to/)
  await sandbox.page.getByText(/^http.*exchange_code=twx_/).waitFor()
  const sent = sandbox.sentBy('Phone').getByText('issueExchangeCode')
  await expect.poll(() => sent.count()).toBe(1)
})
