// One visit of each page of the documentation, with every check that holds for all pages.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../kit/open-page.ts'
import {
  axeFindings,
  firstPaintMs,
  keepScreenshot,
  pageGzipBytes,
  sidewaysScrolling,
} from '../kit/page-checks.ts'
import { startServiceForFile } from '../kit/service.ts'

const MAX_PAGE_GZIP_BYTES = 60_000
const MAX_FIRST_PAINT_MS = 1_000
const TIMEOUT = { timeout: 1_800_000 }
/** The search, which a page loads when the browser is idle. */
const SEARCH = /\/_astro\/ui-core\.|\/pagefind\//
/** The name of the search button is its text, and beside it is the hint of a key. */
const KNOWN_FINDING = /^label-content-name-mismatch: button\[data-open-modal=""\]:/
/** Two cores have work for as many pages at once. */
const TABS = 3
/** Of each kind of page, the screenshots of these are kept. */
const KINDS: Record<string, string> = {
  '/docs': 'start',
  '/docs/guides/first-profile': 'guide',
  '/docs/guides/ask-and-wait': 'guide-with-diagrams',
  '/docs/guides/sign-in': 'guide-with-four-participants',
  '/docs/guides/webhooks': 'guide-webhooks',
  '/docs/guides/errors': 'guide-errors',
  '/docs/guides/testing': 'guide-testing',
  '/docs/citizen-app/events': 'guide-citizen-app',
  '/docs/operations/from-nothing-to-live': 'guide-operator',
  '/docs/operations/watch-the-service': 'guide-operator-metrics',
  '/docs/operations/settings': 'settings',
  '/docs/reference/inquire': 'operation',
  '/docs/reference/createPartner': 'operation-operator',
  '/docs/events': 'events',
  '/docs/events/authorization.accepted': 'event',
  '/docs/errors': 'error-codes',
  '/docs/errors/exchange_code_invalid': 'error-code',
  '/docs/changelog': 'changelog',
  '/docs/downloads': 'downloads',
}

/** The defaults, which the pictures show. The other tests have no limits. */
const service = await startServiceForFile({
  TIWALA_REQUESTS_PER_MINUTE: '120',
  TIWALA_WAITS_PER_PARTNER: '200',
  TIWALA_WAITS_PER_RECORD: '5',
  TIWALA_STREAMS_PER_CITIZEN: '5',
  TIWALA_POLL_INTERVAL_SECONDS: '2',
  TIWALA_PENDING_PER_CITIZEN: '5',
  TIWALA_PENDING_PER_CITIZEN_AND_PARTNER: '3',
  TIWALA_REQUESTS_PER_CITIZEN_AND_HOUR: '30',
  TIWALA_DISCLOSURES_PER_RECORD_AND_HOUR: '60',
  TIWALA_WRITES_PER_CITIZEN_AND_MINUTE: '60',
})
const texts = await (await fetch(`${service.url}/docs/llms.txt`)).text()
const addresses = [...texts.matchAll(/(\/docs[^)\s]*)\.md/g)].map(([, path]) => path!.replace(/\/index$/, ''))

test('each page: no error, no finding of axe, no sideways scrolling, light', TIMEOUT, async () => {
  expect(addresses.length).toBeGreaterThan(100)
  expect(Object.keys(KINDS).filter((path) => !addresses.includes(path))).toEqual([])
  const findings: string[] = []
  const queue = [...addresses]
  const visitAll = async () => {
    const page = await openPage(service.url)
    for (let path = queue.shift(); path; path = queue.shift()) {
      findings.push(...(await visit(page, path)).map((finding) => `${path}: ${finding}`))
    }
  }
  await Promise.all(Array.from({ length: TABS }, visitAll))
  expect(findings).toEqual([])
})

test.each(Object.keys(KINDS))('%s is painted within a second', async (path) => {
  // Other work of the machine can hold up a visit. A page that is slow itself is slow at every visit.
  const page = await openPage(service.url)
  const visitAgain = async () => {
    await page.goto(service.url + path)
    return firstPaintMs(page)
  }
  await expect.poll(visitAgain).toBeLessThan(MAX_FIRST_PAINT_MS)
})

/**
 * The page follows the width and the color scheme while it is open. Pages of one kind have the same sidebar
 * and the same colors, so axe judges these on one of them, and on the guides, which have diagrams.
 */
async function visit(page: Page, path: string): Promise<string[]> {
  const kind = KINDS[path]
  const part = kind ? 'html' : 'main'
  const findings: string[] = []
  const show = async (width: number, colorScheme: 'light' | 'dark') => {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    if (kind && page.url().endsWith(path)) await keepScreenshot(page, kind, true)
  }
  await show(1280, 'light')
  const response = await page.goto(service.url + path)
  if (response!.status() !== 200) findings.push(`status ${response!.status()}`)
  findings.push(...(await axeFindings(page, { part })), ...(await sidewaysScrolling(page)))
  if ((await page.locator('starlight-toc li').count()) === 1) findings.push('a contents list of one entry')
  const bytes = await pageGzipBytes(page, SEARCH)
  if (bytes > MAX_PAGE_GZIP_BYTES) findings.push(`${bytes} bytes`)
  if (kind) await show(1280, 'light')
  if (kind) await show(1280, 'dark')
  await show(375, 'dark')
  findings.push(...(await sidewaysScrolling(page)), ...(await smallTexts(page)))
  if (kind || path.includes('/guides/'))
    findings.push(...(await axeFindings(page, { part, rules: ['color-contrast'] })))
  if (kind) await show(375, 'light')
  return findings.filter((finding) => !KNOWN_FINDING.test(finding))
}

/** The texts of diagrams that are too small to read, or outside their picture. */
function smallTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<SVGTextElement>('svg.diagram text')]
      .filter((text) => {
        // There is a drawing for phones, and one for wide pages.
        if (!text.checkVisibility()) return false
        const { left, right, height } = text.getBoundingClientRect()
        const picture = text.ownerSVGElement!.getBoundingClientRect()
        return height < 13 || left < picture.left - 1 || right > picture.right + 1
      })
      .map(({ textContent }) => `diagram: ${textContent}`),
  )
}
