// What has the keyboard focus after an act that removes or closes the control: the outcome, or what is next.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { focused, openSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
const byKeyboard = { view: DESKTOP, isKeyboardOnly: true, isRefusalExpected: true }

async function expectFocus(page: Page, text: string | RegExp): Promise<void> {
  await expect.poll(() => focused(page)).toMatch(text)
}

test('the first act is three presses of Tab away', async () => {
  const { page, record } = await openSandbox(url, byKeyboard)
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Tab')
  await expectFocus(page, 'Scan the code')
  await page.keyboard.press('Enter')
  await record.waitFor()
})

test('after an answer, a revocation, a report and a cancellation, the focus is at the outcome', async () => {
  const sandbox = await openSandbox(url, byKeyboard)
  const { page, phone, record } = sandbox
  await sandbox.ask()
  await record.getByText('PENDING').waitFor()
  await expectFocus(page, 'Scan the code')
  await sandbox.answer('Decline')
  await expectFocus(page, /^You declined the request that ends in /)
  await sandbox.ask()
  await record.getByText('PENDING').waitFor()
  await sandbox.answer('Accept')
  await expectFocus(page, /^You accepted the request that ends in /)
  await sandbox.profile.waitFor()
  await sandbox.click('Who saw what', phone)
  await sandbox.click('Report: this was not me')
  await expectFocus(page, /You reported this/)
  await sandbox.click('Requests', phone)
  await sandbox.click('Revoke')
  await expectFocus(page, /^Request /)
  await sandbox.ask()
  await record.getByText('PENDING').waitFor()
  await sandbox.click('Cancel the request')
  await record.getByText('CANCELLED').waitFor()
  await expectFocus(page, /^Record /)
  expect(await sandbox.profile.count()).toBe(0)
})

test('after a retry, a diagnosis, a form and a new sandbox, the focus is near', async () => {
  const sandbox = await openSandbox(url, { ...byKeyboard, isStopExpected: true })
  const { page, phone, desk } = sandbox
  await sandbox.open('Create a citizen')
  await sandbox.fill(phone.getByLabel('First name'), 'Amihan')
  await sandbox.fill(phone.getByLabel('Last name'), 'Sulit')
  await sandbox.fill(phone.getByLabel('Birth date'), '1999-02-28')
  await sandbox.click('Create')
  await expectFocus(page, /^Create a citizen$/)
  await sandbox.open('Or step by step')
  await sandbox.fill(desk.getByLabel('QR value'), 'wrong')
  await sandbox.click('Request authorization')
  await sandbox.click('Why?', desk)
  await desk.getByText(/qr_value failed/).waitFor()
  await expectFocus(page, /qr_value failed/)
  await page.context().setOffline(true)
  await sandbox.click('+ 1 minute')
  await sandbox.controls.getByRole('alert').waitFor()
  await page.context().setOffline(false)
  await sandbox.click('Try again', sandbox.controls)
  await expectFocus(page, /^My clock: 1 minute ahead/)
  await sandbox.click('Start over with a new one')
  await expect.poll(() => page.getByText('My clock', { exact: true }).count()).toBe(1)
  await expectFocus(page, 'Start over with a new one')
  await sandbox.click(/^Sign in to/)
  await expectFocus(page, 'The citizen app opened your redirect URL')
})

test('a privacy switch keeps the focus while it is stored', async () => {
  const sandbox = await openSandbox(url, byKeyboard)
  await sandbox.click('Privacy', sandbox.phone)
  const freeze = sandbox.phone.getByLabel(/^Freeze/)
  await sandbox.toggle(freeze)
  await expect.poll(() => freeze.isChecked()).toBe(true)
  await expect.poll(() => freeze.isEnabled()).toBe(true)
  expect(await freeze.evaluate((box) => box === document.activeElement)).toBe(true)
})

test('a click beside a control takes the focus, also when the control disappears later', async () => {
  const { page, phone, request, ...sandbox } = await openSandbox(url, { view: DESKTOP })
  const { promise: isLeft, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/decline', async (route) => {
    await isLeft
    await route.continue()
  })
  await sandbox.ask()
  await sandbox.click('Decline', request)
  await page.locator('h1').click({ position: { x: 200, y: 5 } })
  expect(await focused(page)).toBe('body')
  answer()
  await phone.getByText('You declined').waitFor()
  await request.waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('body')
})
