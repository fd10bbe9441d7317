// The phone of the page answers sign-ins by OpenID Connect, of the visitor's own partner and of others.
import { routes } from '@tiwala/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, sidewaysScrolling } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, type SandboxPage, storedSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile()

const authorizationUrl = (clientId: string) =>
  `${url}/oidc/auth?${String(
    new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: `${url}/sandbox/signed-in`,
      scope: 'openid profile email',
      state: 'state-of-the-browser',
      code_challenge: '0'.repeat(43),
      code_challenge_method: 'S256',
    }),
  )}`

/** The page of a sign-in, in another tab of the same browser. */
async function beginSignIn(sandbox: SandboxPage, clientId?: string): Promise<Page> {
  const { partner } = await storedSandbox(sandbox.page)
  const browser = await sandbox.page.context().newPage()
  await browser.goto(authorizationUrl(clientId ?? partner.partner_code))
  return browser
}

const linkOf = async (browser: Page) =>
  (await browser.getByRole('link', { name: 'Open the app on this device' }).getAttribute('href'))!

const sheetOf = ({ phone }: SandboxPage) => phone.getByRole('article', { name: 'Sign-in request' })

/** Pastes or types the link into the phone. */
async function scanLink(sandbox: SandboxPage, link: string) {
  await sandbox.show('Phone')
  const field = sandbox.phone.getByLabel('Its link, or what its QR code contains')
  if (!(await field.isVisible())) await sandbox.open('Scan the code of a sign-in page', sandbox.phone)
  await sandbox.fill(field, link)
  await sandbox.click('Open the request', sandbox.phone)
  await sheetOf(sandbox).getByRole('button', { name: 'Approve' }).waitFor()
}

test.each([
  { use: 'at 375 px, light', view: { ...PHONE, scheme: 'light' as const }, isReloaded: true },
  { use: 'at 375 px, dark', view: { ...PHONE, scheme: 'dark' as const } },
  { use: 'at 1280 px, light, with the keyboard only', view: DESKTOP, isKeyboardOnly: true },
  { use: 'at 1280 px, dark', view: { ...DESKTOP, scheme: 'dark' as const } },
])("$use: a sign-in of the visitor's partner, by its link", async (use) => {
  const sandbox = await openSandbox(url, use)
  const browser = await beginSignIn(sandbox)
  await scanLink(sandbox, await linkOf(browser))
  await sandbox.pause()
  const sheet = sheetOf(sandbox)
  // The timeline, which a narrow page does not show beside the phone, follows the sign-in.
  const now = sandbox.page.locator('.timeline > [aria-current]')
  await expect.poll(() => now.allTextContents()).toEqual(['ConsentThe phone asks the citizen.'])
  await sheet.getByText('Name: full name').waitFor()
  await sheet.getByText('A browser on this device opened the app').waitFor()
  const comparison = await sheet.locator('.last4').textContent()
  expect(await browser.getByText('Compare').or(browser.locator('strong')).allTextContents()).toContain(
    comparison,
  )
  await sandbox.toggle(sheet.getByRole('checkbox', { name: 'email address' }))
  expect([await axeFindings(sandbox.page), await sidewaysScrolling(sandbox.page)]).toEqual([[], []])
  await keepScreenshot(sandbox.page, 'sandbox-sign-in', true)
  await sandbox.click('Approve', sheet)
  const goOn = sandbox.phone.getByRole('link', { name: 'Go on in the browser' })
  await goOn.waitFor()
  expect([await axeFindings(sandbox.page), await sidewaysScrolling(sandbox.page)]).toEqual([[], []])
  await sandbox.follow(goOn)
  await sandbox.page.waitForURL(/signed-in\?code=/)
})

test('an item that the citizen leaves out of one sign-in is part of the next one', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const email = sheetOf(sandbox).getByRole('checkbox', { name: 'email address' })
  await scanLink(sandbox, await linkOf(await beginSignIn(sandbox)))
  await sandbox.toggle(email)
  await sandbox.click('Decline', sheetOf(sandbox))
  await sandbox.phone.getByText('You declined the sign-in at').waitFor()
  await scanLink(sandbox, await linkOf(await beginSignIn(sandbox)))
  expect(await email.isChecked()).toBe(true)
})

test('a picture of the QR code: the other browser goes on by itself', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  const browser = await beginSignIn(sandbox, 'SANDBOX')
  await sandbox.open('Scan the code of a sign-in page', sandbox.phone)
  // On a busy machine a picture can be too old when it is read: then the phone says so.
  await expect
    .poll(async () => {
      const close = sheetOf(sandbox).getByRole('button', { name: 'Close' })
      if (await close.isVisible()) await close.click()
      const buffer = await browser.locator('#qr').screenshot()
      await sandbox.phone
        .getByLabel('Or choose a picture of the QR code')
        .setInputFiles({ name: 'qr.png', mimeType: 'image/png', buffer })
      // The same picture can be chosen again.
      expect(await sandbox.phone.getByLabel('Or choose a picture of the QR code').inputValue()).toBe('')
      await sheetOf(sandbox).getByRole('button').first().waitFor()
      await sheetOf(sandbox).getByText('Reading').waitFor({ state: 'hidden' })
      return sheetOf(sandbox).getByRole('button').allTextContents()
    })
    .toContain('Approve')
  await sheetOf(sandbox).getByText('It can be on another device').waitFor()
  await sandbox.click('Approve', sheetOf(sandbox))
  await sandbox.phone.getByText('You approved the sign-in at').waitFor()
  await browser.waitForURL(/signed-in\?code=/)
})

test('a code in lower case, and a lost connection: the phone opens the request at the next try', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isStopExpected: true })
  const code = new URL(await linkOf(await beginSignIn(sandbox))).searchParams.get('code')!
  const opened = `**${routes['citizen-app'].openSignIn.path}`
  await sandbox.page.route(opened, (route) => route.abort(), { times: 1 })
  await sandbox.open('Scan the code of a sign-in page', sandbox.phone)
  await sandbox.phone.getByLabel('Its link, or what its QR code contains').fill(code.toLowerCase())
  await sandbox.click('Open the request', sandbox.phone)
  await sheetOf(sandbox).getByText('The service does not answer.').waitFor()
  await sandbox.click('Try again', sheetOf(sandbox))
  await sheetOf(sandbox).getByRole('button', { name: 'Approve' }).waitFor()
  expect(await sheetOf(sandbox).getByRole('alert').count()).toBe(0)
})

test('the link opens the app in its own tab, and the tab returns to the partner', async () => {
  const sandbox = await openSandbox(url, { view: PHONE, isReloaded: true })
  const browser = await beginSignIn(sandbox)
  const code = new URL(await linkOf(browser)).searchParams.get('code')!
  await browser.goto(`${url}/sandbox/?code=${code}`)
  const approve = browser.getByRole('button', { name: 'Approve' })
  await approve.waitFor()
  // The code has left the address.
  expect(browser.url()).toBe(`${url}/sandbox/`)
  await browser.reload()
  await approve.click()
  await browser.waitForURL(/signed-in\?code=/)
})

test('the citizen declines in the tab of the link: it goes back to the page, which says so', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const browser = await beginSignIn(sandbox)
  const code = new URL(await linkOf(browser)).searchParams.get('code')!
  await browser.goto(`${url}/sandbox/?code=${code}`)
  await browser.getByRole('button', { name: 'Decline' }).click()
  await browser.getByRole('heading', { name: 'You declined' }).waitFor()
  expect(await browser.getByRole('link', { name: /^Back to / }).count()).toBe(1)
})

test('another code while one is opened: the phone shows the request of the new one', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const [first, second] = [await beginSignIn(sandbox), await beginSignIn(sandbox, 'SANDBOX')]
  const links = [await linkOf(first), await linkOf(second)]
  const isSlow = Promise.withResolvers<void>()
  await sandbox.page.route(
    `**${routes['citizen-app'].openSignIn.path}`,
    async (route) => {
      await isSlow.promise
      await route.continue()
    },
    { times: 1 },
  )
  await sandbox.open('Scan the code of a sign-in page', sandbox.phone)
  const field = sandbox.phone.getByLabel('Its link, or what its QR code contains')
  for (const link of links) {
    await field.fill(link)
    await sandbox.click('Open the request', sandbox.phone)
  }
  const comparison = await second.locator('strong').first().textContent()
  await sheetOf(sandbox).locator('.last4').getByText(comparison!).waitFor()
  const isRead = sandbox.page.waitForResponse(`**${routes['citizen-app'].openSignIn.path}`)
  isSlow.resolve()
  await (await isRead).finished()
  await sheetOf(sandbox).getByRole('button', { name: 'Approve' }).waitFor()
  expect(await sheetOf(sandbox).locator('.last4').textContent()).toBe(comparison)
})

test('a request of which another citizen has the answer: the phone says so, and can scan again', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  const browser = await beginSignIn(sandbox, 'SANDBOX')
  const link = await linkOf(browser)
  await browser.goto(link)
  await browser.getByRole('button', { name: 'Approve' }).waitFor()
  await sandbox.open('Scan the code of a sign-in page', sandbox.phone)
  const field = sandbox.phone.getByLabel('Its link, or what its QR code contains')
  await field.fill('nothing')
  await sandbox.click('Open the request', sandbox.phone)
  await sandbox.phone.getByText('This is not the code of a sign-in page').waitFor()
  await field.fill(link)
  await sandbox.click('Open the request', sandbox.phone)
  await sheetOf(sandbox).getByRole('alert').waitFor()
  await sandbox.click('Close', sheetOf(sandbox))
  expect(await sheetOf(sandbox).count()).toBe(0)
})
