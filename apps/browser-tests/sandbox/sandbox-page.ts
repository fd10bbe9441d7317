import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openUnwatchedPage, type View, watch } from '../kit/open-page.ts'

export type Part = 'Phone' | 'Desk' | 'Controls' | 'Requests'
/** Below this width the page shows one part at a time. */
const BOTH_SIDES_PX = 960

/** Chromium reports each response with an error status, also one that the test has provoked. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/
const STOPPED =
  /Failed to load resource: net::ERR_|Failed to load resource: the server responded with a status of 503/

type Options = { view: View; isRefusalExpected?: boolean; isStopExpected?: boolean; page?: Page }

/** The sandbox page of a new visitor, ready to use. Fails the test for problems that are not expected. */
export async function openSandbox(url: string, options: Options) {
  const { view, isRefusalExpected = false, isStopExpected = false } = options
  const page = options.page ?? (await openUnwatchedPage(view))
  const problems = watch(page, [url])
  onTestFinished(() => {
    const unexpected = problems.filter(
      (problem) =>
        !(isRefusalExpected && REFUSED.test(problem)) && !(isStopExpected && STOPPED.test(problem)),
    )
    expect(unexpected).toEqual([])
  })
  await page.goto(`${url}/sandbox/`)
  await page.getByTestId('qr-value').waitFor()
  return sandboxPage(page)
}

export type SandboxPage = ReturnType<typeof sandboxPage>

/** The acts of a visitor. */
export function sandboxPage(page: Page) {
  let clicks = 0
  const { width } = page.viewportSize()!
  const click = async (name: string | RegExp, scope: Pick<Page, 'getByRole'> = page) => {
    clicks++
    await scope.getByRole('button', { name, exact: true }).first().click()
  }
  const show = async (part: Part) => {
    if (width < BOTH_SIDES_PX) await click(part)
  }
  const open = (summary: string | RegExp) => page.locator('summary', { hasText: summary }).first().click()
  return {
    page,
    click,
    show,
    open,
    clicks: () => clicks,
    profile: page.getByRole('article', { name: 'Profile' }),
    record: page.getByRole('article', { name: /^Record / }).first(),
    request: page.getByRole('article', { name: /^Request / }).first(),
    desk: page.getByRole('region', { name: "The partner's desk" }),
    phone: page.getByRole('region', { name: "The citizen's phone" }),
    controls: page.getByRole('region', { name: 'Controls' }),
    requests: page.getByRole('region', { name: 'Requests' }),
    /** The desk scans the phone's code and asks. */
    ask: async () => {
      await show('Desk')
      await click("Scan the phone's code and ask")
    },
    answer: async (answer: 'Accept' | 'Decline') => {
      await show('Phone')
      await click(answer)
      await show('Desk')
    },
  }
}

/** What a visitor copies. */
export const copiedText = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
