// A second click at the place of an answered request: another request can be there by then.
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })
const STEP_MS = 10

test('an answered request leaves the phone before the list is read again', async () => {
  const { page, phone, request, ...sandbox } = await openSandbox(url, { view: DESKTOP })
  await sandbox.ask()
  await request.waitFor()
  const isRead = Promise.withResolvers<void>()
  await page.route('**/authorizations?*', async (route) => {
    await isRead.promise
    await route.continue()
  })
  await sandbox.click('Accept')
  await phone.getByText('You accepted').waitFor()
  await expect.poll(() => request.count()).toBe(0)
  isRead.resolve()
  await sandbox.profile.waitFor()
})

test.each([PHONE, DESKTOP])('at $width px: it does not answer the next request', async (view) => {
  const sandbox = await openSandbox(url, { view })
  const { page, phone, request } = sandbox
  const cards = phone.getByRole('article', { name: /^Request / })
  const accept = request.getByRole('button', { name: 'Accept' })
  let answers = 0
  page.on('request', (sent) => void (answers += Number(sent.url().endsWith('/accept'))))
  for (const count of [1, 2]) {
    await sandbox.ask()
    await sandbox.show('Phone')
    await expect.poll(() => cards.count()).toBe(count)
  }
  await expect.poll(() => accept.isEnabled()).toBe(true)
  const second = await cards.nth(1).getAttribute('aria-label')

  // The time of the page passes only in these steps, however slow this machine is.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  /** Waits for the page in steps of its time. */
  const pageUntil = async (isReached: () => Promise<boolean>) => {
    await expect.poll(() => page.clock.runFor(STEP_MS).then(isReached)).toBe(true)
  }
  const click = async () => {
    await accept.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await accept.boundingBox())!
    await page.mouse.click(x + width / 2, y + height / 2)
  }
  await click()
  await pageUntil(async () => (await request.getAttribute('aria-label')) === second)
  await click()
  await page.clock.runFor(400)
  expect(answers).toBe(1)
  expect(await accept.isEnabled()).toBe(false)
  await pageUntil(() => accept.isEnabled())
  await click()
  await expect.poll(() => answers).toBe(2)
})
