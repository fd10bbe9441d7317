// What happens between the phone and the desk: the steps light up, and each opens its request.
import { expect, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, type SandboxPage, storedSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

/** The state of each step, by its class. */
const stepsOf = ({ timeline }: SandboxPage, label: string) =>
  timeline
    .getByRole('list', { name: label })
    .getByRole('listitem')
    .evaluateAll((items) => items.map(({ classList }) => classList[0]))
const CONSENT = 'Profile with consent'

test('an accepted request lights up every step, also after a reload, and each opens', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page, timeline } = sandbox
  expect(await stepsOf(sandbox, CONSENT)).toEqual(['done', 'now', 'later', 'later', 'later'])
  await sandbox.ask()
  await expect.poll(() => stepsOf(sandbox, CONSENT)).toEqual(['done', 'done', 'now', 'later', 'later'])
  await sandbox.answer('Accept')
  const all = ['done', 'done', 'done', 'done', 'done']
  await expect.poll(() => stepsOf(sandbox, CONSENT)).toEqual(all)
  await page.reload()
  await expect.poll(() => stepsOf(sandbox, CONSENT)).toEqual(all)
  for (const [step, text] of [
    ['QR code shown', '"qr_value"'],
    ['Request', 'request_authorization'],
    ['Consent', '"ACCEPTED"'],
    ['Event', 'valid signature'],
    ['Profile', '"first_name"'],
  ] as const) {
    const button = timeline.getByRole('button', { name: new RegExp(`^${step}`) })
    await button.click()
    await timeline.locator('.exchange', { hasText: text }).waitFor()
    await button.click()
    await timeline.locator('.exchange').waitFor({ state: 'detached' })
  }
})

test('another phone is chosen while a request waits: the page names the citizen who was asked', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page, phone, timeline } = sandbox
  const { citizens } = await storedSandbox(page)
  const [asked, other] = (['manual', 'ignores'] as const).map((wanted) =>
    citizens.find(({ behavior }) => behavior === wanted)!,
  )
  const firstName = asked!.name.split(' ')[0]!
  const guide = page.getByRole('region', { name: 'Next step' })
  const chooseOther = () => phone.getByLabel('Citizen').first().selectOption(other!.uniqid)
  await sandbox.ask()
  await sandbox.request.waitFor()
  await chooseOther()
  await guide.getByText(`${firstName}'s phone asks.`).waitFor()
  await timeline.getByText(`${firstName} showed a code.`).waitFor()
  await page.reload()
  await sandbox.click(`Choose ${firstName}'s phone to answer`, guide)
  await sandbox.answer('Accept')
  await sandbox.profile.waitFor()
  await chooseOther()
  await phone.locator('.app-title', { hasText: other!.name }).waitFor()
  expect(await timeline.getByText(`${firstName} showed a code.`).count()).toBe(1)
})

test('a declined request: the consent and the profile fail, and the event still comes', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  await sandbox.ask()
  await sandbox.answer('Decline')
  await expect.poll(() => stepsOf(sandbox, CONSENT)).toEqual(['done', 'done', 'failed', 'done', 'failed'])
})

test('a sign-in has steps of its own, and its code is above the profile', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page, desk, profile } = sandbox
  await sandbox.ask()
  await sandbox.answer('Accept')
  await profile.waitFor()
  await sandbox.click(/^Sign in to/)
  const arrived = desk.getByRole('article', { name: 'Sign-in' })
  await arrived.waitFor()
  expect(await stepsOf(sandbox, 'Sign-in')).toEqual(['done', 'now', 'later'])
  await profile.waitFor()
  const [code, record] = [await arrived.boundingBox(), await sandbox.record.boundingBox()]
  expect(code!.y).toBeLessThan(record!.y)
  await sandbox.click('Exchange the code for the profile')
  await expect.poll(() => stepsOf(sandbox, 'Sign-in')).toEqual(['done', 'done', 'done'])
  // What is asked next is above the sign-in.
  await sandbox.ask()
  await sandbox.record.getByText('PENDING').waitFor()
  await expect
    .poll(async () => (await sandbox.record.boundingBox())!.y < (await arrived.boundingBox())!.y)
    .toBe(true)
  expect(page.url()).toBe(`${url}/sandbox/`)
})

test('of the codes after the one that the visitor asked for, only the latest is listed', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page } = sandbox
  const codes = sandbox.sentBy('Phone', 'issueQrCode')
  await page.clock.install()
  await sandbox.click('New code')
  const listed = async () => (await sandbox.showTool('Requests'), codes.count())
  const before = await listed()
  const shown = page.getByTestId('qr-value')
  for (let count = 0; count < 3; count++) {
    const value = await shown.textContent()
    await page.clock.fastForward(60_000)
    await expect.poll(() => shown.textContent()).not.toBe(value)
  }
  expect((await listed()) - before).toBeLessThanOrEqual(1)
})
