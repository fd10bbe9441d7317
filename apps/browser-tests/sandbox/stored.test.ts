// What the browser has stored, or refuses to store.
import { expect, test } from 'vitest'
import { DESKTOP, openPage } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, sandboxPage } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

test('a stored value that is not a sandbox of this version: a new sandbox is made', async () => {
  // Several reloads in one second: the page waits before it makes another sandbox.
  const { page } = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  expect(await page.getByText('Your browser stores nothing').count()).toBe(0)
  const stored = await page.evaluate(() => localStorage.getItem('tiwala-sandbox')!)
  const own = JSON.parse(stored) as { sandbox: object }
  const odd = [
    {},
    'x',
    5,
    [],
    { sandbox: {} },
    { ...own, version: undefined },
    { ...own, records: undefined },
    { ...own, sandbox: { ...own.sandbox, expires_at: 'x' } },
    { ...own, sandbox: { ...own.sandbox, citizens: [] } },
  ]
  for (const value of odd) {
    await page.evaluate((text) => localStorage.setItem('tiwala-sandbox', text), JSON.stringify(value))
    await page.reload()
    await page.getByTestId('qr-value').waitFor()
    const made = await page.evaluate(() => localStorage.getItem('tiwala-sandbox')!)
    expect(Object.keys(JSON.parse(made) as object).toSorted()).toEqual(Object.keys(own).toSorted())
  }
})

test('blocked storage: a warning, a profile, and a sign-in that keeps the sandbox', async () => {
  const page = await openPage(url, DESKTOP)
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException('Access is denied', 'SecurityError')
        },
      })
    navigator.locks.request = () => Promise.reject(new DOMException('Access is denied', 'SecurityError'))
  })
  await page.goto(`${url}/sandbox/`)
  const sandbox = sandboxPage(page)
  await sandbox.ask()
  await sandbox.answer('Accept')
  await expect.poll(() => sandbox.profile.count()).toBe(1)
  await page.getByText('Your sandbox ends for you when you reload').waitFor()
  await sandbox.click(/^Sign in to/)
  await sandbox.click('Exchange the code for the profile')
  await sandbox.desk.getByText('passport_number').waitFor()
  // A page that was loaded again would have another sandbox, without this record.
  expect(await sandbox.record.count()).toBe(1)
  expect(page.url()).toBe(`${url}/sandbox/`)
})
