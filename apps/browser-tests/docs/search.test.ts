// Questions with which a partner's developer comes, and the first page that answers.
import { routes } from '@tiwala/contract'
import catalogue from '@tiwala/contract/errors.json' with { type: 'json' }
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../kit/open-page.ts'
import { keepScreenshot } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

/** The part of Pagefind that its search box uses. */
type Pagefind = { search(term: string): Promise<{ results: { data(): Promise<{ url: string }> }[] }> }

const service = await startServiceForFile()
const operationIds = Object.values(routes).flatMap((document) => Object.keys(document))
const symptoms: [question: string, ...answers: string[]][] = [
  ['webhooks', 'guides/webhooks'],
  ['signature', 'guides/webhooks'],
  ['verify signature', 'guides/webhooks'],
  ['wrong signature', 'guides/webhooks'],
  ['signature mismatch', 'guides/webhooks'],
  ['HMAC', 'guides/webhooks'],
  ['testing', 'guides/testing'],
  ['test data', 'guides/testing'],
  ['personas', 'guides/testing'],
  ['login', 'guides/sign-in'],
  ['state parameter', 'guides/sign-in'],
  ['CSRF', 'guides/sign-in'],
  ['session expired', 'guides/sign-in'],
  ['rotate secret', 'guides/workbench'],
  ['callback url', 'guides/webhooks', 'guides/going-live'],
  ['expired', 'errors/token_expired'],
  ['wrong password', 'errors/credentials_invalid'],
  ['404', 'errors/not_found'],
  ['429', 'errors/rate_limited'],
  ['503', 'errors/unavailable'],
  ['throttled', 'errors/rate_limited'],
  ['CORS', 'errors/browser_use_forbidden'],
  ['Retry-After', 'guides/errors', 'errors/rate_limited'],
  ['RateLimit-Policy', 'guides/errors', 'errors/rate_limited'],
  ['timeout', 'guides/errors'],
  ['idempotency', 'guides/errors'],
  ['long poll', 'guides/ask-and-wait'],
  ['leaked secret', 'guides/security'],
  ['Python', 'guides/languages'],
  ['OpenAPI', 'downloads'],
  ['postman', 'downloads'],
  ['Insomnia', 'downloads'],
  ['sandbox', 'guides/first-profile', 'guides/testing'],
  ['webhook signature', 'guides/webhooks'],
  ['Invalid exchange_code', 'errors/exchange_code_invalid'],
  ['Invalid credentials', 'errors/credentials_invalid'],
  ['tiwala-listen', 'guides/webhooks', 'guides/webhook-recipes'],
  ['Django', 'guides/webhook-recipes'],
  ['Express', 'guides/webhook-recipes'],
  ['changelog', 'changelog'],
]

test('an operationId leads to its operation first, and an error code to its page', async () => {
  const search = await openSearch()
  const paths = [
    ...operationIds.map((id) => `reference/${id}`),
    ...Object.keys(catalogue).map((code) => `errors/${code}`),
  ]
  const wrong: string[] = []
  for (const path of paths) {
    const [first] = await search(path.split('/')[1]!)
    if (first !== path) wrong.push(`${path}: ${first} comes first`)
  }
  expect(paths.length).toBeGreaterThan(70)
  expect(wrong).toEqual([])
})

test('a field leads to an operation that has it', async () => {
  const search = await openSearch()
  expect(await search('municipality_code')).toContain('reference/inquire')
})

test('a symptom leads to the page that explains it, among the first three results', async () => {
  const search = await openSearch()
  const wrong: string[] = []
  for (const [question, ...answers] of symptoms) {
    const found = (await search(question)).slice(0, 3)
    if (!answers.some((answer) => found.includes(answer))) wrong.push(`${question}: ${found.join(', ')}`)
  }
  expect(wrong).toEqual([])
})

test.each([375, 1280])('at %i px, the search box shows these results', async (width) => {
  const page = await openPage(service.url, { width })
  await typeSearch(page, 'requestAuthorization')
  const results = page.locator('.pagefind-ui__result-link')
  await expect.poll(() => results.first().getAttribute('href')).toBe('/docs/reference/requestAuthorization')
  // The page is shown once, not again as a part of itself.
  expect(await page.locator('.pagefind-ui__result-nested a[href$="#_top"]').count()).toBe(0)
  await keepScreenshot(page, 'search-operation')
  await typeSearch(page, 'throttled')
  await expect.poll(() => results.first().getAttribute('href')).toMatch('/docs/errors/rate_limited')
  await keepScreenshot(page, 'search-symptom')
})

test('`/` opens the search, the arrows move through its results, and Enter follows one', async () => {
  const page = await openPage(service.url)
  // The search box loads when the browser is idle, or after a time. This browser is never idle.
  await page.addInitScript(
    () =>
      (globalThis.requestIdleCallback = (act, options) =>
        options?.timeout ? setTimeout(act, options.timeout) : 0),
  )
  await page.goto(`${service.url}/docs/guides/errors`)
  await page.keyboard.press('/')
  const input = page.getByRole('dialog').getByRole('textbox', { name: 'Search' })
  await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true)
  // In the box, it is a character.
  await page.keyboard.type('exchange_code/')
  await expect.poll(() => input.inputValue()).toBe('exchange_code/')
  await input.fill('exchange_code_invalid')
  const results = page.locator('.pagefind-ui__result-link')
  await results.nth(1).waitFor()
  const focused = () => page.evaluate(() => document.activeElement!.getAttribute('href'))
  const hrefs = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe(hrefs[0])
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe(hrefs[1])
  await page.keyboard.press('ArrowUp')
  await keepScreenshot(page, 'search-keys')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/errors/exchange_code_invalid**')
})

/** Searches with the settings of the site's search box. The paths of the results, best first. */
async function openSearch(): Promise<(question: string) => Promise<string[]>> {
  const page = await openPage(service.url)
  await typeSearch(page, 'inquire')
  await page.locator('.pagefind-ui__result-link').first().waitFor()
  // The box has imported this module and set its options. It is text, since the test runner rewrites imports.
  const pagefind = await page.evaluateHandle<Pagefind>("import('/docs/pagefind/pagefind.js')")
  return async (question) => {
    const urls = await pagefind.evaluate(async ({ search }, term) => {
      const { results } = await search(term)
      return Promise.all(results.slice(0, 8).map(async (result) => (await result.data()).url))
    }, question)
    return urls.map((url) => url.replace(/^\/docs\/|\/$/g, ''))
  }
}

async function typeSearch(page: Page, question: string): Promise<void> {
  const input = page.getByRole('dialog').getByRole('textbox', { name: 'Search' })
  if (!(await input.isVisible())) {
    await page.goto(`${service.url}/docs`)
    await page.locator('button[data-open-modal]').click()
  }
  await input.fill(question)
}
