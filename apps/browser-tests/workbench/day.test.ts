// A partner's day at the workbench: sign in, find why a request failed, look at records, invite a colleague.
import { describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { pageGzipBytes } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'
import { look, workbenchOf } from './workbench-page.ts'

const MAX_GZIP_BYTES = 90 * 1024
const { url } = await startServiceForFile()

const { open: openWorkbench, prepare, signIn } = workbenchOf(url)

test('at most 90 KB gzip', async () => {
  const page = await openWorkbench(PHONE)
  await page.goto(`${url}/workbench/`)
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await pageGzipBytes(page)).toBeLessThan(MAX_GZIP_BYTES)
})

describe.each([
  { ...PHONE, scheme: 'light' as const },
  { ...DESKTOP, scheme: 'dark' as const },
])('at $width px, $scheme', (view) => {
  test('an administrator of the partner has a day', async () => {
    const { sandbox, requestId } = await prepare()
    const page = await openWorkbench(view)
    await page.goto(`${url}/workbench/`)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await look(page, 'signed-out')
    await page.goto(`${url}/workbench/sign-in?login_hint=${sandbox.sandbox_id}`)
    await page.getByRole('link', { name: 'admin@' }).waitFor()
    await look(page, 'provider')
    await signIn(page, sandbox.sandbox_id, 'admin')

    // Why did a request fail?
    await page.getByLabel('Result').selectOption('4XX')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(() => page.url()).toContain('status=4XX')
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Show', exact: true }).click()
        return page.getByRole('row').count()
      })
      .toBe(2)
    await look(page, 'requests')
    await page.getByRole('link', { name: 'requestAuthorization' }).click()
    await page.getByText('The check qr_value failed').waitFor()
    expect(await page.getByText(requestId).count()).toBe(1)
    await look(page, 'request')
    expect(await page.getByRole('link', { name: 'What qr_value_invalid means' }).getAttribute('href')).toBe(
      `${url}/errors/qr_value_invalid`,
    )

    await page.getByRole('link', { name: 'Records', exact: true }).click()
    await page.getByText('No records yet.').waitFor()
    await look(page, 'records')

    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await page.getByLabel('Email').fill('new@staff.example')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('invited', { exact: true }).first().waitFor()
    await page.getByLabel('Role of new@staff.example').selectOption('developer')
    await look(page, 'members')
    const remove = page.getByRole('button', { name: 'Remove new@staff.example' })
    await remove.click()
    const dialog = page.getByRole('dialog', { name: 'Remove' })
    await dialog.getByRole('heading', { name: 'Remove new@staff.example?' }).waitFor()
    await look(page, 'remove')
    // Enter does not confirm by accident, and the focus returns to where it was.
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.count()).toBe(0)
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true)
    await remove.click()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await remove.click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('status').getByText('Removed: new@staff.example').waitFor()
    await expect.poll(() => page.getByRole('row', { name: 'new@staff.example' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })
})

test('a viewer sees no way to change members', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'viewer')
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('row', { name: 'admin@' }).waitFor()
  expect(await page.getByRole('button', { name: /Invite|Remove/ }).count()).toBe(0)
})

test('a session that ends leads to the sign-in, and the address stays', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'developer')
  // The first list would lead to the sign-in, too.
  await page.waitForLoadState('networkidle')
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(`${url}/workbench/#/records`)
})

test('with the keyboard alone, from the sandbox page to a request', async () => {
  const { sandbox, requestId } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await page.goto(`${url}/workbench/sign-in?login_hint=${sandbox.sandbox_id}`)
  await page.getByRole('link', { name: 'viewer@' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
  for (let tries = 0; tries < 20; tries++) {
    await page.keyboard.press('Tab')
    if (await page.getByLabel('Request id').evaluate((input) => input === document.activeElement)) break
  }
  await page.keyboard.type(requestId)
  await expect
    .poll(async () => {
      await page.keyboard.press('Enter')
      return page.getByRole('heading', { name: 'requestAuthorization' }).count()
    })
    .toBe(1)
  // The heading of the new view has the focus.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('no script can read a token or the session', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'admin')
  expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual([
    '',
    0,
    0,
  ])
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'tiwala-workbench', httpOnly: true, sameSite: 'Strict', path: '/' })
})

test('no other page can show the workbench in a frame, and it runs no inline script', async () => {
  const { headers } = await fetch(`${url}/workbench/`)
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('content-security-policy')).toContain("script-src 'self';")
  expect(headers.get('x-frame-options')).toBe('DENY')
})
