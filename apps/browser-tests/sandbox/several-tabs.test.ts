// What one tab does, while another one of the same visitor is open.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, openUnwatchedPage } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openSandbox, type SandboxPage, sandboxPage, storedSandbox } from './sandbox-page.ts'

const { url } = await startServiceForFile({ TIWALA_POLL_INTERVAL_SECONDS: '2' })

async function openTwice(): Promise<{ mine: SandboxPage; other: SandboxPage }> {
  const mine = await openSandbox(url, { view: DESKTOP, isRefusalExpected: true })
  const page = await mine.page.context().newPage()
  await page.goto(`${url}/sandbox/`)
  await page.getByTestId('qr-value').waitFor()
  return { mine, other: sandboxPage(page) }
}

const sandboxIdOf = async (page: Page) => (await storedSandbox(page)).sandbox_id

test('a new sandbox of one tab: the other tab uses it, without the old clock', async () => {
  const { mine, other } = await openTwice()
  await mine.click('+ 1 minute')
  await other.page.getByText('My clock: 1 minute ahead').waitFor()
  await other.ask()
  await other.record.waitFor()
  await mine.click('Start over with a new one')
  await other.page.getByText('My clock', { exact: true }).waitFor()
  await expect.poll(() => other.sentBy('Desk').count()).toBe(0)
  await other.ask()
  await other.answer('Accept')
  await other.profile.waitFor()
})

test('an ended sandbox is replaced by one tab: the other tab goes on with the new one', async () => {
  const { mine, other } = await openTwice()
  await fetch(`${url}/sandbox/${await sandboxIdOf(mine.page)}`, { method: 'DELETE' })
  for (const { page } of [mine, other]) await page.getByText('This sandbox has ended.').waitFor()
  await mine.click('Make a new one')
  for (const { page } of [mine, other]) await page.getByTestId('qr-value').waitFor()
  expect(await other.page.getByText('This sandbox has ended.').count()).toBe(0)
})

test('a citizen created while the other tab starts over: the old sandbox stays away', async () => {
  const { mine, other } = await openTwice()
  const old = await sandboxIdOf(mine.page)
  const { promise: isReplaced, resolve: goOn } = Promise.withResolvers<void>()
  await mine.page.route('**/citizens', async (route) => {
    const response = await route.fetch()
    await isReplaced
    await route.fulfill({ response })
  })
  await mine.open('Create a citizen')
  await mine.fill(mine.phone.getByLabel('First name'), 'Amihan')
  await mine.fill(mine.phone.getByLabel('Last name'), 'Sulit')
  await mine.fill(mine.phone.getByLabel('Birth date'), '1999-02-28')
  const answered = mine.page.waitForResponse('**/citizens')
  await mine.click('Create')
  await mine.page.waitForRequest('**/requests')
  await other.click('Start over with a new one')
  await expect.poll(() => sandboxIdOf(other.page)).not.toBe(old)
  const made = await sandboxIdOf(other.page)
  goOn()
  await (await answered).finished()
  await mine.ask()
  await mine.record.waitFor()
  expect(await sandboxIdOf(mine.page)).toBe(made)
})

test('a used QR code leaves the phone, in the tab that showed it', async () => {
  const { mine, other } = await openTwice()
  await mine.ask()
  await mine.answer('Decline')
  await mine.record.getByText('DECLINED').waitFor()
  const first = await mine.record.getAttribute('aria-label')
  await mine.ask()
  await mine.record.getByText('PENDING').waitFor()
  expect(await mine.record.getAttribute('aria-label')).not.toBe(first)
  const shown = mine.phone.getByTestId('qr-value')
  const value = (await shown.textContent())!
  await other.open('Or step by step')
  await other.fill(other.desk.getByLabel('QR value'), value)
  await other.click('Request authorization')
  await expect.poll(() => shown.textContent()).not.toBe(value)
})

test('freeze in one tab and block in the other: both hold', async () => {
  const { mine, other } = await openTwice()
  for (const { click, phone } of [mine, other]) {
    await click('Privacy', phone)
    await phone.getByLabel(/^Freeze/).waitFor()
  }
  await mine.toggle(mine.phone.getByLabel(/^Freeze/))
  await expect.poll(() => mine.phone.getByLabel(/^Freeze/).isEnabled()).toBe(true)
  await other.toggle(other.phone.getByLabel(/^Block/))
  for (const name of [/^Freeze/, /^Block/])
    await expect.poll(() => other.phone.getByLabel(name).isChecked()).toBe(true)
  await mine.page.reload()
  await mine.click('Privacy', mine.phone)
  for (const name of [/^Freeze/, /^Block/])
    await expect.poll(() => mine.phone.getByLabel(name).isChecked()).toBe(true)
})

test('two tabs that the browser opens at once make one sandbox', async () => {
  const first = await openUnwatchedPage(DESKTOP)
  const second = await first.context().newPage()
  let made = 0
  first.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url() === `${url}/sandbox`) made++
  })
  await Promise.all([first, second].map((page) => page.goto(`${url}/sandbox/`)))
  for (const page of [first, second]) await page.getByTestId('qr-value').waitFor()
  expect([made, await sandboxIdOf(second)]).toEqual([1, await sandboxIdOf(first)])
})

test('under a lock, a tab reads what the tab before it stored', async () => {
  const source = readFileSync(new URL('../../../packages/ui/src/with-lock.ts', import.meta.url), 'utf8')
  const withLock = stripTypeScriptTypes(source).replace('export ', '')
  const first = await openUnwatchedPage(DESKTOP)
  const second = await first.context().newPage()
  for (const page of [first, second]) await page.goto(`${url}/sandbox/`)
  const store = (name: string) => `${withLock}; withLock('lock', async () => {
    const isStored = localStorage.getItem('${name}') !== null
    localStorage.setItem('${name}', '')
    return isStored
  })`
  for (let round = 1; round <= 20; round++) {
    const found = await Promise.all([first, second].map((page) => page.evaluate(store(`round-${round}`))))
    expect(
      found.toSorted((a, b) => Number(a) - Number(b)),
      `round ${round}`,
    ).toEqual([false, true])
  }
})
