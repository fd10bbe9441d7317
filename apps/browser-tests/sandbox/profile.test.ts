// Acts 1, 2, 3 and 10: a profile, a refusal, a sign-in, and what the citizen can take back.
import { describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, sandboxPage } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

describe.each([PHONE, DESKTOP])('at $width px', (view) => {
  test('a profile with photo in at most 5 clicks and 60 s, also after a reload', async () => {
    const startedAtMs = performance.now()
    const sandbox = await openSandbox(url, { view })
    await sandbox.ask()
    await sandbox.answer('Accept')
    await sandbox.profile.waitFor()
    expect(sandbox.clicks()).toBeLessThanOrEqual(5)
    expect(performance.now() - startedAtMs).toBeLessThan(60_000)
    expect(
      await sandbox.profile.getByRole('img').evaluate((photo: HTMLImageElement) => photo.naturalWidth),
    ).toBeGreaterThan(0)
    await sandbox.page.reload()
    await sandbox.show('Desk')
    await sandbox.profile.getByText('Maria Clara Reyes Santos').waitFor()
  })

  test('the same four characters on both sides, also after a reload', async () => {
    const sandbox = await openSandbox(url, { view })
    await sandbox.ask()
    const atDesk = await sandbox.record.locator('.last4').textContent()
    await sandbox.page.reload()
    await sandbox.show('Phone')
    expect(await sandbox.request.locator('.last4').textContent()).toBe(atDesk)
    await sandbox.answer('Accept')
    await sandbox.profile.waitFor()
  })

  test('a declined request shows at the desk', async () => {
    const sandbox = await openSandbox(url, { view })
    await sandbox.ask()
    await sandbox.answer('Decline')
    await expect.poll(() => sandbox.record.getByText('DECLINED').count()).toBe(1)
  })

  test('a shared code gives the profile at once', async () => {
    const sandbox = await openSandbox(url, { view })
    const before = await sandbox.page.getByTestId('qr-value').textContent()
    await sandbox.page.getByLabel('Share my profile at once').check()
    await expect.poll(() => sandbox.page.getByTestId('qr-value').textContent()).not.toBe(before)
    await sandbox.ask()
    await sandbox.profile.waitFor()
    await sandbox.record.getByText('VIEWED').waitFor()
  })

  test('sign-in: the code arrives at the redirect URL and gives profile and passport', async () => {
    const sandbox = await openSandbox(url, { view })
    await sandbox.click(/^Sign in to/)
    await sandbox.page.getByText('exchange_code=twx_').waitFor()
    expect(sandbox.page.url()).toBe(`${url}/sandbox/`)
    await sandbox.click('Exchange the code for the profile')
    await sandbox.profile.getByText('passport number').waitFor()
    await sandbox.page.reload()
    await sandbox.show('Desk')
    await sandbox.page.getByText('the exchange code arrives here').waitFor()
  })

  test('revoke, who saw what, freeze and block, with the side of the desk', async () => {
    const sandbox = await openSandbox(url, { view, isRefusalExpected: true })
    await sandbox.ask()
    await sandbox.answer('Accept')
    await sandbox.profile.waitFor()
    await sandbox.show('Phone')
    await sandbox.click('Who saw what')
    await sandbox.phone.getByText('after you accepted').waitFor()
    await sandbox.click('Requests', sandbox.phone)
    await sandbox.click('Revoke')
    await sandbox.show('Desk')
    await sandbox.record.getByText('REVOKED').waitFor()
    await sandbox.profile.waitFor({ state: 'detached' })
    await sandbox.show('Phone')
    await sandbox.click('QR code')
    await sandbox.page.getByTestId('qr-value').waitFor()
    // The code is taken first: a frozen citizen gets no code.
    await sandbox.show('Desk')
    await sandbox.open('Or step by step')
    await sandbox.click("Take the phone's value")
    await sandbox.show('Phone')
    await sandbox.click('Privacy')
    for (const name of [/^Freeze/, /^Block/]) {
      await sandbox.show('Phone')
      await sandbox.phone.getByLabel(name).click()
      await expect.poll(() => sandbox.phone.getByLabel(name).isChecked()).toBe(true)
      await sandbox.show('Desk')
      await sandbox.click('Request authorization')
      await sandbox.desk.getByRole('alert').getByText('qr_value_invalid').waitFor()
      await sandbox.show('Phone')
      await sandbox.phone.getByLabel(name).click()
      await expect.poll(() => sandbox.phone.getByLabel(name).isChecked()).toBe(false)
    }
  })

  test('two tabs show the same sandbox', async () => {
    const first = await openSandbox(url, { view })
    const second = sandboxPage(await first.page.context().newPage())
    await second.page.goto(`${url}/sandbox/`)
    await second.page.getByTestId('qr-value').waitFor()
    await first.page.bringToFront()
    await first.ask()
    await second.page.bringToFront()
    await second.answer('Accept')
    await second.profile.waitFor()
    await first.page.bringToFront()
    await expect.poll(() => first.profile.count()).toBe(1)
  })
})

test('a QR code in a picture is read, and a picture without one gets a message', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page } = sandbox
  await sandbox.open('Or step by step')
  const drop = async (selector: string) =>
    page.getByLabel(/^Picture of a QR code/).setInputFiles({
      name: 'code.png',
      mimeType: 'image/png',
      buffer: await page.locator(selector).screenshot(),
    })
  await drop('h1')
  await page.getByText('No QR code was found').waitFor()
  const shown = await page.getByTestId('qr-value').textContent()
  await drop('.qr')
  await expect.poll(() => page.getByLabel('QR value').inputValue()).toBe(shown)
  await sandbox.click('Request authorization')
  await sandbox.record.getByText('PENDING').waitFor()
})

test('two visitors never see each other', async () => {
  const [mine, other] = [await openSandbox(url, { view: DESKTOP }), await openSandbox(url, { view: DESKTOP })]
  await mine.ask()
  await mine.request.waitFor()
  await mine.click('+ 5 minutes')
  await mine.record.getByText('EXPIRED').waitFor()
  await mine.requests.getByText('requestAuthorization').waitFor()
  await other.page.waitForTimeout(3_500)
  expect(await other.request.count()).toBe(0)
  expect(await other.record.count()).toBe(0)
  await other.requests.getByText('No request yet.').waitFor()
  await other.ask()
  await other.answer('Accept')
  await other.profile.waitFor()
})

test('a profile with the keyboard alone', async () => {
  const { page, profile } = await openSandbox(url, { view: DESKTOP })
  const focusOn = async (name: string) => {
    for (let count = 0; count < 80; count++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return
    }
    throw new Error(`The keyboard does not reach ${name}`)
  }
  await focusOn("Scan the phone's code and ask")
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Accept' }).waitFor()
  await focusOn('Accept')
  await page.keyboard.press('Enter')
  await expect.poll(() => profile.count()).toBe(1)
})
