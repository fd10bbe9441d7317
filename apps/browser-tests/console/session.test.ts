// The session of a person at the console: what its scopes open, where it ends, and what can read it.
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import { expect, test } from 'vitest'
import { DESKTOP } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openConsoleOf, signInTo } from './console-page.ts'

const { url } = await startServiceForFile()

test('a person without the scopes sees neither the view nor the act', async () => {
  const { citizens } = (await (await fetch(`${url}/sandbox/bootstrap.json`)).json()) as CreatedSandbox
  const { uniqid } = citizens[0]!
  const support = await openConsoleOf(url, DESKTOP)
  await signInTo(url, support, 'support')
  await support.goto(`${url}/console/#/partners/SANDBOX`)
  await support.getByRole('heading', { name: 'Secrets' }).waitFor()
  expect(await support.getByRole('button', { name: 'Suspend' }).count()).toBe(0)
  await support.goto(`${url}/console/#/citizens`)
  await support.getByLabel('Identifier').fill(uniqid)
  await support.getByLabel('Why you look, for the audit').fill('Ticket 4711')
  await support.getByRole('button', { name: 'Open' }).click()
  await support.getByText('not frozen, 0 blocked partners').waitFor()
  expect(await support.getByRole('button', { name: 'Erase' }).count()).toBe(0)
  const auditor = await openConsoleOf(url, DESKTOP)
  await signInTo(url, auditor, 'auditor')
  await auditor.goto(`${url}/console/#/partners`)
  await auditor.getByText('Your scopes do not open this view.').waitFor()
  expect(await auditor.getByRole('link', { name: 'Partners', exact: true }).count()).toBe(0)
})

test('a session that ends leads to the sign-in, and back to the same view', async () => {
  const page = await openConsoleOf(url, DESKTOP)
  await signInTo(url, page, 'administrator')
  const link = page.getByRole('row', { name: 'SANDBOX' }).getByRole('link')
  await link.waitFor()
  await page.context().clearCookies()
  await link.click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await page.getByText('Your session has ended.').waitFor()
  expect(page.url()).toBe(`${url}/console/#/partners/SANDBOX`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'administrator@' }).click()
  await page.getByRole('heading', { name: 'Secrets' }).waitFor()
  expect(page.url()).toBe(`${url}/console/#/partners/SANDBOX`)
})

test('a sign-out also ends the session that another tab has since', async () => {
  const page = await openConsoleOf(url, DESKTOP, /status of (401|403|404)/)
  await page.goto(`${url}/console/`)
  const signInPath = await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')
  await signInTo(url, page, 'administrator')
  const other = await page.context().newPage()
  await other.goto(new URL(signInPath!, `${url}/console/`).href)
  await other.getByRole('link', { name: 'auditor@' }).click()
  await other.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await other.reload()
  await other.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await other.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
})

test('Show reads the list again, also at the address without a view', async () => {
  const page = await openConsoleOf(url, DESKTOP)
  await signInTo(url, page, 'administrator')
  await page.getByRole('row', { name: 'SANDBOX' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  for (let time = 0; time < 2; time++) {
    const request = page.waitForRequest(/\/operator\/v1\/partners\b/)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await request
  }
})

test('no script can read a token or the session, and no other page can show the console in a frame', async () => {
  const page = await openConsoleOf(url, DESKTOP)
  await signInTo(url, page, 'administrator')
  expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual([
    '',
    0,
    0,
  ])
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'tiwala-console', httpOnly: true, sameSite: 'Strict', path: '/' })
  const { headers } = await fetch(`${url}/console/`)
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('content-security-policy')).toContain("script-src 'self';")
})
