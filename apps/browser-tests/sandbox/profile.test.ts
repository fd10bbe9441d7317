// Acts 1, 2, 3 and 10: a profile, a refusal, a sign-in, and what the citizen can take back.
import { routes } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, USES } from './sandbox-page.ts'

const STREAM = routes['citizen-app'].streamEvents.path
const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

describe.each(USES)('$use', (use) => {
  test('a profile with photo in at most 5 clicks and 60 s', async () => {
    const startedAtMs = performance.now()
    const sandbox = await openSandbox(url, use)
    await sandbox.ask()
    await sandbox.record.waitFor()
    await sandbox.pause()
    await sandbox.answer('Accept')
    await sandbox.profile.waitFor()
    expect(sandbox.clicks()).toBeLessThanOrEqual(5)
    expect(performance.now() - startedAtMs).toBeLessThan(60_000)
    const photo = sandbox.profile.getByRole('img')
    await expect
      .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await sandbox.pause()
    await sandbox.show('Desk')
    await sandbox.profile.getByText('Maria Clara Reyes Santos').waitFor()
  })

  test('both sides show the same four characters, and a declined request shows at the desk', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.ask()
    const atDesk = await sandbox.record.locator('.last4').textContent()
    await sandbox.pause()
    await sandbox.show('Phone')
    expect(await sandbox.request.locator('.last4').textContent()).toBe(atDesk)
    await sandbox.answer('Decline')
    await sandbox.record.getByText('DECLINED').waitFor()
    await sandbox.pause()
    await sandbox.show('Desk')
    await sandbox.record.getByText('DECLINED').waitFor()
  })

  test('a shared code gives the profile at once', async () => {
    const sandbox = await openSandbox(url, use)
    await sandbox.pause()
    await sandbox.show('Phone')
    const shown = sandbox.phone.getByTestId('qr-value')
    const before = await shown.textContent()
    await sandbox.toggle(sandbox.phone.getByLabel('Share my profile at once'))
    await expect.poll(() => shown.textContent()).not.toBe(before)
    const forAll = await shown.textContent()
    await sandbox.toggle(sandbox.phone.getByLabel(/^Only .* can use it$/))
    await expect.poll(() => shown.textContent()).not.toBe(forAll)
    if (use.hasTwoTabs) {
      const value = await shown.textContent()
      await sandbox.show('Desk')
      await sandbox.open('Or step by step')
      await sandbox.fill(sandbox.desk.getByLabel('QR value'), value!)
      await sandbox.click('Profile by QR value')
    } else await sandbox.ask()
    await sandbox.record.getByText('VIEWED').waitFor()
    await sandbox.pause()
    await sandbox.show('Desk')
    await sandbox.profile.waitFor()
  })

  test('sign-in: the code arrives at the redirect URL and gives profile and passport', async () => {
    const sandbox = await openSandbox(url, use)
    const signIn = async () => {
      await sandbox.show('Phone')
      await sandbox.click(/^Sign in to/)
      await sandbox.page.getByText(/^http.*exchange_code=twx_/).waitFor()
      expect(sandbox.page.url()).toBe(`${url}/sandbox/`)
    }
    await signIn()
    if (use.isReloaded) {
      await sandbox.pause()
      await sandbox.show('Desk')
      await sandbox.page.getByText('the exchange code arrives here').waitFor()
      await signIn()
    }
    // The citizen app opens the partner in the tab of the phone.
    await sandbox.click('Exchange the code for the profile')
    await sandbox.page.getByRole('article', { name: 'Profile' }).getByText('passport_number').waitFor()
  })

  test('revoke, who saw what, report, freeze and block, with the side of the desk', async () => {
    const sandbox = await openSandbox(url, { ...use, isRefusalExpected: true })
    await sandbox.ask()
    await sandbox.answer('Accept')
    await sandbox.profile.waitFor()
    await sandbox.pause()
    await sandbox.show('Phone')
    await sandbox.click('Who saw what', sandbox.phone)
    // In two tabs, two desks have read the profile.
    await sandbox.phone.getByText('after you accepted').first().waitFor()
    await sandbox.click('Report: this was not me')
    await sandbox.phone.getByText('You reported this').waitFor()
    await sandbox.pause()
    await sandbox.show('Phone')
    await sandbox.click('Who saw what', sandbox.phone)
    await sandbox.phone.getByText('You reported this').waitFor()
    await sandbox.click('Requests', sandbox.phone)
    await sandbox.click('Revoke')
    await sandbox.show('Desk')
    await sandbox.record.getByText('REVOKED').waitFor()
    await sandbox.profile.waitFor({ state: 'detached' })
    await sandbox.show('Phone')
    await sandbox.click('QR code', sandbox.phone)
    await sandbox.pause()
    await sandbox.show('Desk')
    await sandbox.open('Or step by step')
    // The code is taken first: a frozen citizen gets no code.
    await sandbox.click("Take the phone's value")
    await sandbox.show('Phone')
    await sandbox.click('Privacy', sandbox.phone)
    for (const name of [/^Freeze/, /^Block/]) {
      const box = sandbox.phone.getByLabel(name)
      await sandbox.show('Phone')
      await sandbox.toggle(box)
      await expect.poll(() => box.isChecked()).toBe(true)
      await sandbox.show('Desk')
      await sandbox.click('Request authorization')
      await sandbox.desk.getByRole('alert').getByText('qr_value_invalid').waitFor()
      await sandbox.show('Phone')
      await sandbox.toggle(box)
      await expect.poll(() => box.isChecked()).toBe(false)
    }
  })
})

test('a QR code in a picture is read, and a picture without one gets a message', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page } = sandbox
  await sandbox.open('Or step by step')
  const chooser = page.getByLabel('Choose a picture of a QR code')
  const drop = async (selector: string) =>
    chooser.setInputFiles({
      name: 'code.png',
      mimeType: 'image/png',
      buffer: await page.locator(selector).screenshot(),
    })
  await drop('h1')
  await page.getByText('No QR code was found').waitFor()
  // The same picture can be chosen again.
  expect(await chooser.inputValue()).toBe('')
  const shown = await page.getByTestId('qr-value').textContent()
  await drop('.qr')
  await expect.poll(() => page.getByLabel('QR value').inputValue()).toBe(shown)
  await sandbox.click('Request authorization')
  await sandbox.record.getByText('PENDING').waitFor()
})

test('a dropped text, and a dropped or pasted picture, give the QR value or a message', async () => {
  const { page, desk } = await openSandbox(url, { view: DESKTOP })
  const zone = desk.locator('.ask')
  const field = page.getByLabel('QR value')
  /** Data as another window gives it. */
  const dataOf = (text: string | undefined, file?: { bytes: number[]; type: string }) =>
    page.evaluateHandle(
      ([plain, content]) => {
        const data = new DataTransfer()
        if (plain) data.setData('text/plain', plain)
        if (content) data.items.add(new File([new Uint8Array(content.bytes)], 'code', { type: content.type }))
        return data
      },
      [text, file] as const,
    )
  const drop = async (...given: Parameters<typeof dataOf>) =>
    zone.dispatchEvent('drop', { dataTransfer: await dataOf(...given) })
  const pictureOf = async (selector: string) => ({
    bytes: [...(await page.locator(selector).screenshot())],
    type: 'image/png',
  })
  await drop('Hello')
  await desk.getByRole('alert').getByText('This is not a QR value').waitFor()
  for (const dropped of [`TWQ1${'0'.repeat(32)}`, `twq1${'a'.repeat(32)}`]) {
    await drop(` ${dropped}\n`)
    await expect.poll(() => field.inputValue()).toBe(dropped)
  }
  await expect.poll(() => desk.getByRole('alert').count()).toBe(0)
  await drop(undefined, { bytes: [1, 2, 3], type: 'text/plain' })
  await desk.getByRole('alert').getByText('This file is not a picture').waitFor()
  await drop(undefined, await pictureOf('h1'))
  await desk.getByRole('alert').getByText('No QR code was found').waitFor()
  const [picture, shown] = [await pictureOf('.qr'), await page.getByTestId('qr-value').textContent()]
  await field.evaluate(
    (input, clipboardData) =>
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true })),
    await dataOf(undefined, picture),
  )
  await expect.poll(() => field.inputValue()).toBe(shown)
  await expect.poll(() => desk.getByRole('alert').count()).toBe(0)
})

test('the desk scans the phone of the citizen who was chosen last', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { phone, profile } = sandbox
  await sandbox.click('Privacy', phone)
  const citizen = phone.getByLabel('Citizen').first()
  const [name] = (await citizen
    .locator('option', { hasText: 'accepts automatically' })
    .first()
    .textContent())!.split(' (')
  // A browser has few connections to one server, so the stream of the former citizen must end.
  const ended = sandbox.page.waitForEvent('requestfailed', (request) => request.url().endsWith(STREAM))
  await citizen.selectOption({ label: `${name} (accepts automatically)` })
  await ended
  await sandbox.ask()
  await expect.poll(() => profile.getByRole('heading').first().textContent()).toBe(name)
})

test('two visitors never see each other', async () => {
  const [mine, other] = [await openSandbox(url, { view: DESKTOP }), await openSandbox(url, { view: DESKTOP })]
  await mine.ask()
  await mine.request.waitFor()
  await mine.click('+ 5 minutes')
  await mine.record.getByText('EXPIRED').waitFor()
  await mine.requests.getByText('requestAuthorization').waitFor()
  // The other page has read its lists again.
  await other.page.waitForResponse(/\/requests$/)
  await other.page.waitForResponse(/\/requests$/)
  expect(await other.request.count()).toBe(0)
  expect(await other.record.count()).toBe(0)
  await other.requests.getByText('No request yet.').waitFor()
  await other.ask()
  await other.answer('Accept')
  await other.profile.waitFor()
})
