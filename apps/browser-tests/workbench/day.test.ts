// A partner's day at the workbench: sign in, find why a request failed, look at records, invite a colleague.
import { routes, type Schemas } from '@tiwala/contract'
import { describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { pageGzipBytes } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openFilters, openView, showFiltered } from '../kit/views.ts'
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
    await openFilters(page)
    await page.getByLabel('Result').selectOption('4XX')
    await showFiltered(page)
    await expect.poll(() => page.url()).toContain('status=4XX')
    await expect
      .poll(async () => {
        await showFiltered(page)
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

    await openView(page, 'Records')
    await page.getByText('No records yet.').waitFor()
    await look(page, 'records')

    await openView(page, 'Members')
    await page.getByLabel('Email').fill('new@staff.example')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('invited', { exact: true }).first().waitFor()
    const role = page.getByLabel('Role of new@staff.example', { exact: true })
    await role.selectOption('developer')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(await role.inputValue()).toBe('viewer')
    await role.selectOption('developer')
    await page.getByRole('dialog', { name: 'to developer?' }).getByRole('button', { name: 'Change' }).click()
    await page.getByRole('status').getByText('new@staff.example is now developer').waitFor()
    await look(page, 'members')
    const remove = page.getByRole('button', { name: 'Remove new@staff.example' })
    await remove.click()
    const dialog = page.getByRole('dialog', { name: 'Remove' })
    await dialog.getByRole('heading', { name: 'Remove new@staff.example?' }).waitFor()
    await look(page, 'remove')
    // Enter does not confirm by accident, and the focus returns to where it was. A closed dialog stays in the page until
    // its event `close`, when the act ends.
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true)
    await remove.click()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    await remove.click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('status').getByText('Removed: new@staff.example').waitFor()
    await expect.poll(() => page.getByRole('row', { name: 'new@staff.example' }).count()).toBe(0)
    // The button is gone. The next Tab goes on from the table.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TABLE')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })
})

test('a refused invitation keeps what was typed, and what another tab did first is shown', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'admin')
  await page.goto(`${url}/workbench/#/members`)
  const remove = page.getByRole('button', { name: 'Remove viewer@' })
  await remove.waitFor()
  const email = (await remove.getAttribute('aria-label'))!.replace('Remove ', '')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('admin')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  expect(await page.getByRole('combobox', { name: 'Role', exact: true }).inputValue()).toBe('admin')

  const other = await page.context().newPage()
  await other.goto(`${url}/workbench/#/members`)
  const agree = (tab: typeof page) => tab.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await other.getByRole('button', { name: `Remove ${email}` }).click()
  await agree(other)
  await other.getByText(`Removed: ${email}`).waitFor()
  await remove.click()
  await agree(page)
  await page.getByRole('alert').getByText('no member').waitFor()
  await expect.poll(() => remove.count()).toBe(0)
})

test('while an act runs, another one says that it waits, and asks nothing', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'admin')
  await page.goto(`${url}/workbench/#/members`)
  const isSeen = Promise.withResolvers<void>()
  await page.route(`**${routes.workbench.inviteMember.path}`, async (route) => {
    if (route.request().method() === 'POST') await isSeen.promise
    await route.continue()
  })
  await page.getByLabel('Email').fill('slow@staff.example')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: 'Remove viewer@' }).click()
  await page.locator('.toast.warn', { hasText: 'Another action is still running.' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  isSeen.resolve()
  await page.getByText('Invited: slow@staff.example').waitFor()
})

test('a person of two partners chooses one, and then goes to it', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(PHONE)
  await page.route(`**${routes.workbench.readSession.path}`, async (route) => {
    const response = await route.fetch()
    const session = (await response.json()) as Schemas['MemberSession']
    const partners = [...session.partners, { partner_code: 'CLINIC', name: 'Clinic' }]
    await route.fulfill({ response, json: { ...session, partners } })
  })
  await signIn(page, sandbox.sandbox_id, 'admin')
  const before = page.url()
  await page.getByLabel('Partner', { exact: true }).selectOption('Clinic')
  expect(page.url()).toBe(before)
  await look(page, 'two-partners')
  const asked = page.waitForRequest('**/sign-in?partner_code=CLINIC')
  await page.getByRole('button', { name: 'Change' }).click()
  await asked
})

test('the address of a list has its times in UTC, and each reader sees them in their zone', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'viewer')
  const zone = await page.context().newCDPSession(page)
  await zone.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Manila' })
  await page.getByLabel('From').fill('2026-11-28T10:00')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect.poll(() => page.url()).toContain(new URLSearchParams({ since: '2026-11-28T02:00:00.000Z' }))
  expect(await page.getByLabel('From').inputValue()).toBe('2026-11-28T10:00')
  await zone.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' })
  await page.reload()
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('2026-11-28T03:00')
})

test('a viewer sees no way to change members', async () => {
  const { sandbox } = await prepare()
  const page = await openWorkbench(DESKTOP)
  await signIn(page, sandbox.sandbox_id, 'viewer')
  await openView(page, 'Members')
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
  await openView(page, 'Records')
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
    if (await page.getByLabel('Request ID').evaluate((input) => input === document.activeElement)) break
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
