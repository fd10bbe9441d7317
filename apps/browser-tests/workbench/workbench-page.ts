// The workbench in a browser, as far as its tests share it.
import { createPartnerClient, type TiwalaError } from '@tiwala/client'
import type { CreatedSandbox } from '@tiwala/server/sandbox-bootstrap'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { openUnwatchedPage, type View, watch } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot, sidewaysScrolling } from '../kit/page-checks.ts'

/** Chromium reports the response to a browser without a session, and to a wrong or old value. */
const REFUSED = /the server responded with a status of (401|404|409|412|422)/

export const createSandbox = async (url: string) =>
  (await (await fetch(`${url}/sandbox`, { method: 'POST' })).json()) as CreatedSandbox

export const workbenchOf = (url: string) => ({
  open: async (view: View) => {
    const page = await openUnwatchedPage(view)
    const problems = watch(page, [url])
    onTestFinished(() => expect(problems.filter((problem) => !REFUSED.test(problem))).toEqual([]))
    return page
  },

  /** A sandbox of the test's own, with a request that was rejected. */
  prepare: async () => {
    const sandbox = await createSandbox(url)
    const { secret_code: secretCode, secret_token: secretToken } = sandbox.partner
    const profiles = createPartnerClient({ baseUrl: url, secretCode, secretToken, maxRetries: 0 })
    await profiles.whoAmI()
    const rejected = await profiles
      .requestAuthorization(`TWQ1${'0'.repeat(32)}`)
      .catch((error: unknown) => error as TiwalaError)
    return { sandbox, profiles, requestId: (rejected as TiwalaError).requestId! }
  },

  signIn: async (page: Page, sandboxId: string, role: string) => {
    await page.goto(`${url}/workbench/sign-in?login_hint=${sandboxId}`)
    await page.getByRole('link', { name: `${role}@` }).click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
  },
})

export const look = async (page: Page, name: string) => {
  await keepScreenshot(page, `workbench-${name}`, true)
  expect([name, await axeFindings(page), await sidewaysScrolling(page)]).toEqual([name, [], []])
}
