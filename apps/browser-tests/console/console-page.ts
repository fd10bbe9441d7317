// The console in a browser, as far as its tests share it.
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openUnwatchedPage, type View, watch } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, sidewaysScrolling } from '../kit/page-checks.ts'

/** Chromium reports the responses to a browser without a session, and of partners without a registration. */
const EXPECTED = /the server responded with a status of (401|404)/

export async function openConsoleOf(url: string, view: View, expected = EXPECTED): Promise<Page> {
  const page = await openUnwatchedPage(view)
  const problems = watch(page, [url])
  onTestFinished(() => expect(problems.filter((problem) => !expected.test(problem))).toEqual([]))
  return page
}

export async function signInTo(url: string, page: Page, person: string): Promise<void> {
  await page.goto(`${url}/console/`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: `${person}@` }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

export async function look(page: Page, name: string): Promise<void> {
  await keepScreenshot(page, `console-${name}`, true)
  expect([name, await axeFindings(page), await sidewaysScrolling(page)]).toEqual([name, [], []])
}

/** The commands of a page are folded. */
export const hasCommand = (page: Page, command: string) =>
  page.getByText(command, { exact: true }).waitFor({ state: 'attached' })
