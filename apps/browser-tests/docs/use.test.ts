// The documentation as people use it: from a refusal, from the front page, by keyboard, without JavaScript,
// on paper.
import { routes } from '@tiwala/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, openPage, openUnwatchedPage, PHONE, watch } from '../kit/open-page.ts'
import { axeFindings, keepScreenshot } from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'
import { copySamples } from './read-samples.ts'

const service = await startServiceForFile()

test('the link of a refusal leads to the page of its code', async () => {
  const refused = await fetch(service.url + routes.partner.generateToken.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ partner_code: 'X', partner_secret: 'x', scope: 'x', exchange_code: 'x' }),
  })
  const { error } = (await refused.json()) as { error: string }
  const [, link] = /^<([^>]+)>; rel="help"$/.exec(refused.headers.get('link')!)!
  const page = await openPage(service.url)
  await page.goto(link!)
  expect(new URL(page.url()).pathname).toBe(`/docs/errors/${error}`)
  expect(await page.locator('h1').innerText()).toContain(error)
  expect(await page.locator('main').innerText()).toMatch(/What to do/i)
  expect(await page.locator('nav.sidebar [aria-current]').allInnerTexts()).toEqual(['Error codes'])
})

test('from the front page to a first profile: one click and three samples', async () => {
  const page = await openPage(service.url, PHONE)
  await page.goto(service.url)
  await page.getByRole('link', { name: /first profile/i }).click()
  await page.waitForURL('**/docs/guides/first-profile')
  const [install, script, run] = await copySamples(page)
  expect(install!.code).toBe(`npm install ${service.url}/downloads/tiwala-client.tgz`)
  expect([script!.fileName, run!.code]).toEqual(['first-profile.mjs', 'node first-profile.mjs'])
})

test('from the documentation, one click leads to the sandbox page, and one to the downloads', async () => {
  const page = await openPage(service.url, DESKTOP)
  for (const path of ['/docs', '/docs/guides/errors', '/docs/reference/inquire'])
    for (const [name, target] of [
      ['Sandbox', '/sandbox/'],
      ['Downloads', '/downloads/'],
    ] as const) {
      await page.goto(service.url + path)
      await page.locator('header').getByRole('link', { name, exact: true }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe(target)
    }
})

test('an operation: its sample stays beside the text from 1,000 px on, and is above it on a phone', async () => {
  const page = await openPage(service.url, { width: 1000 })
  await page.goto(`${service.url}/docs/reference/inquire`)
  const boxes = () =>
    Promise.all(['.samples', '.words'].map((selector) => page.locator(selector).boundingBox()))
  const [sample, words] = await boxes()
  expect(sample!.x).toBeGreaterThan(words!.x + words!.width)
  await page.locator('#errors').scrollIntoViewIfNeeded()
  expect(await page.getByRole('tab', { name: 'curl' }).isVisible()).toBe(true)
  expect((await boxes())[0]!.y).toBeGreaterThan(0)
  await page.setViewportSize({ width: 375, height: 800 })
  const [above, below] = await boxes()
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y)
})

test('an operation: a tab for each outcome, and the body of each refusal', async () => {
  const page = await openPage(service.url, DESKTOP)
  await page.goto(`${service.url}/docs/reference/inquire`)
  for (const [name, text] of [
    ['Accepted', '"is_accepted": 1'],
    ['Ended', '"is_accepted": 0'],
  ] as const) {
    await page.getByRole('tab', { name }).click()
    expect(await page.getByRole('tabpanel', { name }).innerText()).toContain(text)
  }
  await page.getByRole('tab', { name: 'Errors' }).click()
  const refusals = page.getByRole('tabpanel', { name: 'Errors' })
  await refusals.getByText('tracking_no_not_found', { exact: true }).click()
  expect(await refusals.locator('pre:visible').allInnerTexts()).toEqual([
    expect.stringContaining('"error": "tracking_no_not_found"'),
  ])
})

test('an operation with several content types: a tab for the example of each, by keyboard and without scripts', async () => {
  const examples = {
    'Multipart form': 'name="scope"',
    'URL-encoded form': '&scope=SSO_AUTHENTICATION&',
    JSON: '"scope": "SSO_AUTHENTICATION"',
  }
  for (const id of ['generateToken', 'requestAuthorization']) {
    const page = await openPage(service.url, DESKTOP)
    await page.goto(`${service.url}/docs/reference/${id}`)
    await page.getByText('Example request body').click()
    expect(await page.locator('details[open] [role=tab]').allInnerTexts()).toEqual(Object.keys(examples))
    if (id !== 'generateToken') continue
    await page.getByRole('tab', { name: 'Multipart form' }).focus()
    for (const [name, text] of Object.entries(examples)) {
      expect(await page.locator('details[open] pre:visible').allInnerTexts()).toEqual([
        expect.stringContaining(text),
      ])
      expect(await page.getByRole('tabpanel', { name }).isVisible()).toBe(true)
      await page.keyboard.press('ArrowRight')
    }
    await keepScreenshot(page, 'operation-content-types')
    expect(await axeFindings(page, { part: '.samples' })).toEqual([])
    const plain = await openPage(service.url, { ...PHONE, javaScript: false })
    await plain.goto(page.url())
    await plain.getByText('Example request body').click()
    const all = (await plain.locator('details[open] pre:visible').allInnerTexts()).join('\n')
    for (const text of Object.values(examples)) expect(all).toContain(text)
  }
})

test('a link to a field that is folded opens it', async () => {
  const page = await openPage(service.url, DESKTOP)
  await page.goto(`${service.url}/docs/reference/inquire`)
  const field = page.locator('[id="response-200-data-response-birth_date"]')
  expect(await field.isVisible()).toBe(false)
  await page.goto(`${page.url()}#${await field.getAttribute('id')}`)
  await expect.poll(() => field.isVisible()).toBe(true)
  expect(await field.innerText()).toContain('birth_date')
})

test('the changelog can be followed by RSS, with the address of this server', async () => {
  const response = await fetch(`${service.url}/docs/changelog.xml`)
  expect(response.headers.get('content-type')).toMatch(/^application\/xml/)
  const feed = await response.text()
  expect(feed).toContain(`<link>${service.url}/docs/changelog#v0.6.1</link>`)
  expect(feed).toMatch(/<pubDate>\w{3}, \d{2} \w{3} \d{4} /)
  expect(feed).not.toMatch(/href=(&quot;|")\//)
})

test('each entry that breaks callers has a badge, also one that begins with code', async () => {
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/changelog`)
  await page.locator('li .badge', { hasText: 'Breaking' }).first().waitFor()
  expect(await page.locator('li strong:not(.badge)', { hasText: /^Breaking/ }).count()).toBe(0)
})

test('the sidebar shows the page that it is on, also one far below', async () => {
  const page = await openPage(service.url, DESKTOP)
  await page.goto(`${service.url}/docs/events/authorization.revoked`)
  const current = page.locator('nav.sidebar [aria-current="page"]')
  await expect
    .poll(() => current.evaluate((link) => link.getBoundingClientRect().bottom <= innerHeight))
    .toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test.each(['/docs/nothing', '/docs/errors/nope'])(
  '%s: a page with search and links says so',
  async (path) => {
    const page = await openUnwatchedPage(PHONE)
    const problems = watch(page, [service.url])
    const response = await page.goto(service.url + path)
    expect([response!.status(), await page.locator('h1').innerText()]).toEqual([404, 'Page not found'])
    await keepScreenshot(page, 'not-found')
    // Chromium reports the status of the page itself as a console error.
    expect(problems.filter((problem) => !/status of 404/.test(problem))).toEqual([])
    await page.locator('button[data-open-modal]').click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Search' }).fill('rate_limited')
    await page.locator('.pagefind-ui__result-link').first().click()
    await page.waitForURL('**/docs/errors/rate_limited**')
  },
)

test.each(['guides', 'reference', 'citizen-app'])('/docs/%s/ leads to its heading', async (folder) => {
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/${folder}/`)
  expect(page.url()).toBe(`${service.url}/docs#${folder}`)
  expect(await page.locator(`h2#${folder}`).isVisible()).toBe(true)
})

test('by keyboard: skip the sidebar, search, and follow the first result', async () => {
  const page = await openPage(service.url, DESKTOP)
  await page.goto(`${service.url}/docs/guides/errors`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement!.textContent.trim())).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).hash).not.toBe('')
  // The search is loaded when the page is idle, or after two seconds. Only then can its field get the focus.
  await page.locator('site-search .pagefind-ui__search-input').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  const input = page.getByRole('dialog').getByRole('textbox', { name: 'Search' })
  await input.waitFor()
  await expect.poll(() => input.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('token_used')
  await page.locator('.pagefind-ui__result-link').first().waitFor()
  const isOnResult = () =>
    page.evaluate(() => document.activeElement!.classList.contains('pagefind-ui__result-link'))
  for (let presses = 0; presses < 5 && !(await isOnResult()); presses++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/errors/token_used**')
})

test('by keyboard: each focused element of a guide is visible', async () => {
  const page = await openPage(service.url, DESKTOP)
  await page.goto(`${service.url}/docs/guides/first-profile`)
  const unmarked: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const { activeElement: element } = document
      if (!element || element === document.body) return undefined
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      const isMarked = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      return isMarked ? undefined : element.outerHTML.slice(0, 120)
    })
    if (found) unmarked.push(found)
  }
  expect(unmarked).toEqual([])
})

test.each(['/docs/guides/ask-and-wait', '/docs/reference/inquire'])(
  'without JavaScript, %s has the same text and code, and offers nothing that needs a script',
  async (path) => {
    const open = async (javaScript: boolean) => {
      const page = await openPage(service.url, { ...PHONE, javaScript })
      await page.goto(service.url + path)
      return page
    }
    const textOf = (page: Page) => page.locator('.sl-markdown-content').innerText()
    const [without, withScripts] = [await open(false), await open(true)]
    expect(await without.locator('site-search:visible, starlight-theme-select:visible').count()).toBe(0)
    // To run a sample needs a script, so that only a page with scripts offers it.
    await withScripts.locator('run-it').evaluateAll((all) => all.forEach((each) => each.remove()))
    // The languages of a sample are tabs, of which only one shows.
    const complete = await textOf(without)
    const missing = (await textOf(withScripts)).split('\n').filter((line) => !complete.includes(line.trim()))
    expect(missing).toEqual([])
    expect(complete.length).toBeGreaterThan(1_000)
    // The name of a language is its tab, or stands above its sample.
    const namesIn = (page: Page) => page.locator('.language:visible').count()
    const tabs = await withScripts.getByRole('tab').count()
    expect([await namesIn(withScripts), await namesIn(without)]).toEqual([0, tabs])
  },
)

test.each(['light', 'dark'] as const)(
  'without JavaScript, a page is %s as the reader prefers',
  async (scheme) => {
    const colors = async (javaScript: boolean) => {
      const page = await openPage(service.url, { scheme, javaScript })
      await page.goto(`${service.url}/docs/guides/first-profile`)
      await keepScreenshot(page, `theme-${javaScript ? 'with' : 'without'}-javascript`)
      return Promise.all(
        [
          'html',
          'body',
          'header.header',
          'h1',
          '.sl-markdown-content p',
          '.sl-markdown-content a',
          'pre',
        ].map((selector) => page.locator(selector).first().evaluate(colorsOf)),
      )
    }
    const without = await colors(false)
    expect(without[0]).toContain(`color-scheme: ${scheme}`)
    expect(without).toEqual(await colors(true))
  },
)

const colorsOf = (element: Element) => {
  const { backgroundColor, color, colorScheme } = getComputedStyle(element)
  return `${element.tagName}: ${backgroundColor}, ${color}, color-scheme: ${colorScheme}`
}

test('on paper: the text without the sidebar, and code that breaks instead of being cut off', async () => {
  const page = await openPage(service.url, DESKTOP)
  await page.goto(`${service.url}/docs/guides/ask-and-wait`)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 700, height: 990 })
  await keepScreenshot(page, 'print', true)
  expect(await page.locator('nav.sidebar:visible, site-search:visible, .right-sidebar:visible').count()).toBe(
    0,
  )
  const cutOff = await page.evaluate(() =>
    [...document.querySelectorAll('pre, table, svg')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 100)),
  )
  expect(cutOff).toEqual([])
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
})

test('code has colors, which style attributes would lose', async () => {
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/guides/first-profile`)
  const colors = await page
    .locator('pre[data-language=js] span[class]')
    .evaluateAll((parts) => new Set(parts.map((part) => getComputedStyle(part).color)).size)
  expect(colors).toBeGreaterThan(3)
})

test('a diagram has a text alternative, also in the Markdown of its page', async () => {
  const page = await openPage(service.url)
  await page.goto(`${service.url}/docs/guides/ask-and-wait`)
  const labels = await page.getByRole('img').evaluateAll((all) => all.map((each) => each.ariaLabel))
  expect(labels).toEqual([
    expect.stringMatching(/^A profile with consent\. 1\. Citizen app to Your server: QR code/),
    expect.stringMatching(/^What a record can become\. .* PENDING to EXPIRED: 5 minutes without an answer\./),
  ])
  const markdown = await (await fetch(`${page.url()}.md`)).text()
  for (const label of labels) expect(markdown).toContain(label)
})
