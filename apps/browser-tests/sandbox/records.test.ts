// The records at the desk follow every citizen, without an act of the visitor.
import { routes } from '@tiwala/contract'
import { expect, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, storedSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
const PATHS = routes['citizen-app']

test('earlier records follow the answers of citizens whose phone is not shown', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  const { page, desk, phone } = sandbox
  const own = await storedSandbox(page)
  const { pathname } = new URL(own.citizen_url)
  const manual = own.citizens.find(({ behavior }) => behavior === 'manual')!
  const ignoring = own.citizens.find(({ behavior }) => behavior === 'ignores')!
  const trackingNo = async () => (await sandbox.record.locator('code, strong').allTextContents()).join('')
  const asked: string[] = []
  for (let count = 0; count < 2; count++) {
    await sandbox.ask()
    await expect.poll(trackingNo).not.toBe(asked[0] ?? '')
    asked.push(await trackingNo())
  }
  await phone.getByLabel('Citizen').first().selectOption(ignoring.uniqid)
  await sandbox.ask()
  await expect.poll(trackingNo).not.toBe(asked[1])
  await sandbox.open('Earlier records')
  await expect.poll(() => desk.locator('.state', { hasText: 'PENDING' }).count()).toBe(3)
  const answer = async (index: number, path: string) => {
    const { status } = await fetch(url + pathname + path.replace('{tracking_no}', asked[index]!), {
      method: 'POST',
      headers: { Authorization: `Bearer ${manual.token}` },
    })
    expect(status).toBe(200)
  }
  const card = (index: number) => desk.getByRole('article', { name: `Record ${asked[index]!.slice(-4)}` })
  await answer(0, PATHS.declineAuthorization.path)
  await card(0).getByText('DECLINED').waitFor()
  await answer(1, PATHS.acceptAuthorization.path)
  await card(1).getByRole('article', { name: 'Profile' }).waitFor()
  await answer(1, PATHS.revokeAuthorization.path)
  await card(1).getByText('REVOKED').waitFor()
  expect(await sandbox.record.getByText('PENDING').count()).toBe(1)
})

test('one consent is one line in the history of the citizen, also after its event and a report', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP })
  const { page, phone, profile, timeline } = sandbox
  await sandbox.ask()
  await sandbox.answer('Accept')
  await profile.waitFor()
  await timeline.getByText('authorization.accepted, delivered.').waitFor()
  await sandbox.click('Who saw what', phone)
  await sandbox.click('Report: this was not me')
  await phone.getByText('You reported this').waitFor()
  // The page has read its lists again, and the history after them.
  for (const list of ['inbox.json', 'inbox.json', 'disclosures'])
    await page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(list))
  expect(await phone.getByText('saw your profile').count()).toBe(1)
})

test('how long ago a partner asked, and how long the sandbox still lasts, follow the time', async () => {
  // The desk asks at once when the clock of the page jumps, which is too early for the service.
  const { page, request, ...sandbox } = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  await page.clock.install()
  await page.reload()
  await sandbox.ask()
  await request.waitFor()
  await page.clock.fastForward(120_000)
  await request.getByText('It asked 2 minutes ago').waitFor()
  expect(await request.locator('[aria-live=off]').allTextContents()).toEqual(['2 minutes ago'])
  await page.clock.fastForward(23 * 3_600_000)
  await page.getByText(/for another 5\d minutes/).waitFor()
})

test('a refused request of the desk: a reload shows no record of another program', async () => {
  const sandbox = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  const { page, desk } = sandbox
  await sandbox.open('Or step by step')
  await sandbox.fill(desk.getByLabel('QR value'), `TWQ1${'0'.repeat(32)}`)
  await sandbox.click('Request authorization')
  await desk.getByText('qr_value_invalid').first().waitFor()
  await page.getByRole('region', { name: 'Next step' }).getByText('The last request failed.').waitFor()
  const { partner } = await storedSandbox(page)
  const { status } = await fetch(url + routes.partner.requestAuthorization.path, {
    method: 'POST',
    headers: { 'X-Secret-Code': partner.secret_code, 'X-Secret-Token': partner.secret_token },
    body: formOf({ qr_value: (await sandbox.phone.getByTestId('qr-value').textContent())! }),
  })
  expect(status).toBe(200)
  await page.reload()
  // The page has read its sandbox.
  await sandbox.request.waitFor()
  expect(await sandbox.record.count()).toBe(0)
})

function formOf(values: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}
