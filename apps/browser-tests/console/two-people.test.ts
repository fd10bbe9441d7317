// Acts that need a second administrator: one asks, and the other grants.
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../kit/open-page.ts'
import { startServiceForFile } from '../kit/service.ts'
import { openView } from '../kit/views.ts'
import { look, openConsoleOf, signInTo } from './console-page.ts'

const { url, signInOperator } = await startServiceForFile({ TIWALA_SECOND_PERSON: 'suspension, erasure' })

/** Opens the console with the session of a second administrator. */
async function openSecond(expected?: RegExp) {
  const page = await openConsoleOf(url, PHONE, expected)
  const scopes = 'partners:read partners:write approvals:read approvals:write citizens:erase'.split(' ')
  const [name, value] = (await signInOperator(scopes, 'second')).Cookie.split('=')
  await page.context().addCookies([{ name: name!, value: value!, url }])
  return page
}

async function confirm(page: Page, label: string, expected: string) {
  await page.getByRole('button', { name: label }).click()
  await page.getByLabel('Reason, for the audit').fill('Ticket 4714')
  await page.getByLabel(`Type ${expected} to confirm`).fill(expected)
  await page.getByRole('dialog').getByRole('button', { name: label }).click()
}

test('one asks to erase a citizen, and cannot grant it; the other reads who it is, and grants it', async () => {
  const sandbox = (await (await fetch(`${url}/sandbox`, { method: 'POST' })).json()) as CreatedSandbox
  const citizen = sandbox.citizens[1]!.uniqid
  const first = await openConsoleOf(url, DESKTOP)
  await signInTo(url, first, 'administrator')
  await openView(first, 'Citizens')
  await first.getByLabel('Identifier').fill(citizen)
  await first.getByLabel('Why you look, for the audit').fill('Ticket 4711')
  await first.getByRole('button', { name: 'Open' }).click()
  await confirm(first, 'Erase', citizen)
  await first.getByText('Waits for a second person').waitFor()
  await look(first, 'waits')
  await first.getByRole('link', { name: 'see the approval' }).click()
  await first.getByText('You asked for this.').waitFor()
  expect(await first.getByRole('button', { name: 'Grant' }).count()).toBe(0)
  await look(first, 'approval-own')

  const second = await openSecond()
  await second.goto(`${url}/console/#/approvals`)
  await second.getByRole('link', { name: 'Erase a citizen' }).click()
  await second.getByText(citizen).waitFor()
  await second.getByText('can never be read again').waitFor()
  await look(second, 'approval-erasure')
  await confirm(second, 'Grant', citizen)
  await second.getByText('granted', { exact: true }).waitFor()
  expect(await second.getByText(citizen).count()).toBe(0)
  await second.goto(`${url}/console/#/citizens`)
  await second.getByLabel('Identifier').fill(citizen)
  await second.getByRole('button', { name: 'Open' }).click()
  await second.getByRole('button', { name: 'Copy the receipt' }).waitFor()
})

test('one asks to suspend a partner, and withdraws it', async () => {
  const page = await openConsoleOf(url, PHONE)
  await signInTo(url, page, 'administrator')
  await page.goto(`${url}/console/#/partners/SANDBOX`)
  await confirm(page, 'Suspend', 'SANDBOX')
  // Still after the page is read again.
  await page.getByRole('link', { name: 'see the approval' }).waitFor()
  // Beside the menu, which a phone folds.
  await page.getByText('Approvals: 1', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Waits for a second person: ').getByRole('link', { name: 'Suspend' }).click()
  await page.getByRole('heading', { name: 'Suspend Mabuhay Hotels Incorporated' }).waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('withdrawn', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0)
  await page.getByText(/^Menu: /).click()
  await page.getByRole('link', { name: 'Approvals', exact: true }).waitFor()
})

test('one withdraws while the other decides: the page of the other shows it after the refusal', async () => {
  const first = await openConsoleOf(url, DESKTOP)
  await signInTo(url, first, 'administrator')
  await first.goto(`${url}/console/#/partners/SANDBOX`)
  await confirm(first, 'Suspend', 'SANDBOX')
  await first.getByRole('link', { name: 'see the approval' }).click()
  const second = await openSecond(/status of (401|404|409)/)
  await second.goto(first.url())
  const dialog = second.getByRole('dialog')
  await second.getByRole('button', { name: 'Send back' }).click()
  await second.getByLabel('Reason, for the audit').fill('Ticket 4715')
  await first.getByRole('button', { name: 'Withdraw' }).click()
  await first.getByText('withdrawn', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Send back' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await second.getByText('withdrawn', { exact: true }).waitFor()
  expect(await second.getByRole('button', { name: 'Send back' }).count()).toBe(0)
})
